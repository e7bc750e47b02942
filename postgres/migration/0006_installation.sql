-- Facts about the installation as a whole: those that its servers have to agree on, and notes of the upkeep.
CREATE TABLE installation (
  name  TEXT COLLATE "C" PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL  -- never a secret
);
