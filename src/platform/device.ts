import { BlockList, isIP, isIPv4 } from 'node:net';
import bowser from 'bowser';

/** The browser that makes a call, as its request describes it. */
export interface Device {
  /** Its network address. */
  address: string | null;
  /** The `User-Agent` header. */
  userAgent: string | null;
  /** The IANA name that the console's page sends: roughly where the browser is. */
  timeZone: string | null;
}

const LONGEST_AGENT = 300;

/** The device of a request, in the form in which it is stored. */
export function readDevice(address: string, userAgent: string, timeZone: string): Device {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return {
    address: isIP(plain) === 0 ? null : plain,
    userAgent: userAgent.replaceAll('\0', '').trim().slice(0, LONGEST_AGENT) || null,
    timeZone: isTimeZone(timeZone) ? timeZone : null,
  };
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/.test(name) || name.length > 60) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `Chrome 131 on Windows`; undefined for a program that is no browser. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const { browser, os } = bowser.parse(userAgent);
  if (!browser.name) return undefined;
  const version = /^\d+/.exec(browser.version ?? '')?.[0];
  return `${browser.name}${version === undefined ? '' : ` ${version}`}${os.name ? ` on ${os.name}` : ''}`;
}

/** The browser's details in the audit entry of a sign-in. */
export function deviceDetails(device: Device | undefined): { address?: string; browser?: string } {
  const browser = browserOf(device?.userAgent ?? null);
  return { ...(device?.address && { address: device.address }), ...(browser !== undefined && { browser }) };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4');
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address is of the machine itself. */
export function isLoopback(address: string): boolean {
  return within(LOOPBACK, address);
}

/** The kind of network of an address; undefined for a public address. */
export function networkKind(address: string): 'this machine' | 'private network' | undefined {
  if (isLoopback(address)) return 'this machine';
  return within(PRIVATE, address) ? 'private network' : undefined;
}

function within(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
