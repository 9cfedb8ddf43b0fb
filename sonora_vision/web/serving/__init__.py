"""The server under the pages: where it listens, how it begins and ends."""
