"""Where phones find the table."""

from __future__ import annotations

import ipaddress

import pytest
from flask import Flask

from sonora_vision.web.serving import addresses
from sonora_vision.web.serving.addresses import lan_addresses, page_address, phone_url


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "lan_addresses", lambda: ("192.168.7.20",))


@pytest.mark.parametrize(
    ("listens_on", "opened_at", "scanned"),
    [
        ("0.0.0.0", "http://localhost:8000/", "http://192.168.7.20:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/", "http://192.168.7.20:8000/"),
        ("0.0.0.0", "http://sonora.local:8000/", "http://sonora.local:8000/"),
        ("127.0.0.1", "http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
    ],
)
def test_a_code_leads_a_phone_to_where_it_can_go(
    app: Flask, at_home: None, listens_on: str, opened_at: str, scanned: str
) -> None:
    app.extensions["sonora_listens"] = (listens_on, 8000)
    with app.test_request_context(base_url=opened_at):
        assert phone_url() == scanned


def test_without_any_network_it_stays_where_it_is(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "lan_addresses", lambda: ())
    app.extensions["sonora_listens"] = ("0.0.0.0", 8000)
    with app.test_request_context(base_url="http://localhost:8000/"):
        assert phone_url() == "http://localhost:8000/"


def test_this_machines_addresses_are_addresses_and_none_of_them_its_own_alone() -> None:
    for each in lan_addresses():
        assert not ipaddress.ip_address(each).is_loopback


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:8001/"), ("::1", "http://[::1]:8001/")],
)
def test_an_address_is_as_it_is_typed(host: str, address: str) -> None:
    assert page_address(host, 8001) == address
