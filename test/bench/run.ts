/** `npm run bench -- NAME`: runs test/bench/NAME.ts and prints its table. */
const [name = ''] = process.argv.slice(2);
if (!/^[a-z]+$/.test(name)) {
  process.stderr.write('Which one? For example: npm run bench -- http\n');
  process.exit(1);
}
const { bench } = (await import(`./${name}.ts`)) as { bench: () => Promise<string> };
process.stdout.write(`${await bench()}\n`);
process.exit(0);
