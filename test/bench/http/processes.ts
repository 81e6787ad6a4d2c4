import { median } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';
import { callsOf, cases } from './contacts.ts';
import { CONNECTIONS, load, ROUNDS, SECONDS } from './load.ts';
import { openOffices, SECRETS, tidy } from './office.ts';

/** Two API processes on the machine's two cores, which they share with the database and the client, beside one. */
export async function processes(): Promise<string> {
  const office = await openOffices();
  const environment = { DATABASE_URL: office.url, ...SECRETS };
  const first = await startServer('ours', 'api/main.ts', environment);
  const second = await startServer('ours', 'api/main.ts', environment);
  const lines = ['| contacts | | one process/s | two processes/s | ratio |', '|---|---|---|---|---|'];
  try {
    for (const offices of office.offices) {
      for (const each of cases) {
        const calls = callsOf(each, offices);
        const rates: [number, number][] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          await tidy(office);
          const one = await load(first, office, calls);
          await tidy(office);
          const both = await Promise.all(
            [first, second].map((server) => load(server, office, calls, SECONDS, CONNECTIONS / 2)),
          );
          rates.push([one.rate, both.reduce((sum, { rate }) => sum + rate, 0)]);
        }
        const [one, two] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
        const ratio = median(rates.map(([alone, together]) => together / alone)).toFixed(2);
        lines.push(
          `| ${offices.contacts} | ${each.name} | ${Math.round(one)} | ${Math.round(two)} | ${ratio} |`,
        );
      }
    }
    return lines.join('\n');
  } finally {
    await first.stop();
    await second.stop();
    await office.drop();
  }
}
