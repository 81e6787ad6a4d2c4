import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks of the IANA registry of special-purpose addresses (RFC 6890, as of 2026), with multicast and what is
 * reserved: nothing of the internet lives there.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** Of global IPv6 unicast, what leads elsewhere: Teredo and other protocols, documentation, 6to4 (which holds IPv4). */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = new BlockList();
for (const network of SPECIAL_IPV4) addNetwork(special, network, 'ipv4');
for (const network of SPECIAL_IPV6) addNetwork(special, network, 'ipv6');

/** Global unicast. Outside of it are loopback, link-local and unique local addresses, IPv4 in IPv6, and NAT64. */
const global = new BlockList();
addNetwork(global, '2000::/3', 'ipv6');

/** Whether an address is of the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  if (version === 6 && !address.includes('%')) {
    return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
  }
  return false;
}

function addNetwork(list: BlockList, network: string, version: 'ipv4' | 'ipv6'): void {
  const [address = '', prefix] = network.split('/');
  list.addSubnet(address, Number(prefix), version);
}
