//! UCI, ULCI, Leiserchess UCI and UGI: bytes to messages and back.
