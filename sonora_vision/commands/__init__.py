"""One module a command, each exposing ``command``; the registry is in `sonora_vision.cli`."""
