// Loaded before a command of this package whose output becomes a picture: it writes as on a terminal.
process.stdout.isTTY = true;
process.stdout.columns = 100;
