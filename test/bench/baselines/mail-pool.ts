/** nodemailer's pool alone: sends ready messages of 10 kB as fast as a server takes them. `node mail-pool.ts URL CONNECTIONS COUNT` */
import { createTransport } from 'nodemailer';

const [url = '', connections = '5', count = '1000'] = process.argv.slice(2);
const line = `${'x'.repeat(70)}\r\n`;
const raw = Buffer.from(`Subject: ready\r\n\r\n${line.repeat(Math.ceil(10_240 / line.length))}`);
const { hostname, port } = new URL(url);
const pool = createTransport({
  pool: true,
  host: hostname,
  port: Number(port),
  maxConnections: Number(connections),
  maxMessages: Number.POSITIVE_INFINITY,
});
let next = 0;

/** As many at a time as the pool has connections, and some that wait. */
async function sendOn(): Promise<void> {
  while (next < Number(count)) {
    const number = next++;
    await pool.sendMail({ envelope: { from: 'news@example.co.jp', to: `person${number}@example.jp` }, raw });
  }
}

await Promise.all(Array.from({ length: Number(connections) * 4 }, sendOn));
pool.close();
