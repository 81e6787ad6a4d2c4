import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress } from '../../../../shared/platform/outside/addresses.ts';

describe('addresses of the public internet', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '223.255.255.255',
    '2606:4700::1111',
  ]) {
    it(`${address} is one`, () => assert.equal(isPublicAddress(address), true));
  }

  for (const [address, what] of [
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared by carriers'],
    ['169.254.169.254', 'link-local, where clouds tell their secrets'],
    ['192.0.2.1', 'documentation'],
    ['198.18.0.1', 'benchmarks'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4 in IPv6'],
    ['::ffff:8.8.8.8', 'IPv4 in IPv6'],
    ['::7f00:1', 'IPv4 in IPv6, as it was'],
    ['64:ff9b::a00:1', 'NAT64'],
    ['fc00::1', 'unique local'],
    ['fd12:3456::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local of an interface'],
    ['ff02::1', 'multicast'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4 of a loopback'],
    ['localhost', 'a name'],
    ['127.1', 'not an address as it is written here'],
    ['', 'nothing'],
  ] as const) {
    it(`${address} is not: ${what}`, () => assert.equal(isPublicAddress(address), false));
  }
});
