-- The versions that are held, in the order in which they began.
CREATE INDEX versions_held ON versions ((id >> 32), tx_start) WHERE tx_end IS NULL;
