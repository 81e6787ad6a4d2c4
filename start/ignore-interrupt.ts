/** Loaded before a program that shares a terminal with the start: Ctrl-C is the start's to pass on. */
process.on('SIGINT', () => {});
