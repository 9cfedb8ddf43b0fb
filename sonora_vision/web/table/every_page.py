"""All pages of a table, for the application to take in."""

from __future__ import annotations

from sonora_vision.web.table.act import act
from sonora_vision.web.table.camera import camera
from sonora_vision.web.table.games import games
from sonora_vision.web.table.join import join
from sonora_vision.web.table.keep import keep
from sonora_vision.web.table.phone import phone
from sonora_vision.web.table.repair import repair
from sonora_vision.web.table.replay import replay
from sonora_vision.web.table.screen import screen

TABLE_PAGES = (games, join, keep, replay, screen, phone, act, repair, camera)
