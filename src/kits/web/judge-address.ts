import type ipaddr from 'ipaddr.js'

/**
 * `public`: everybody's Internet. `private`: this machine and the networks around it, for hosts that are named on purpose. `never`: an address
 * that stands for no host of its own, or for the metadata of a cloud; only a rule that names this very address opens it.
 */
export type AddressKind = 'public' | 'private' | 'never'

/** Ranges of hosts that a program may want to reach on purpose. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Addresses that look public or private, and give credentials to whoever asks on a machine of a cloud. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/** An IPv6 address of ISATAP ends in 5efe and an IPv4 address, whatever its beginning. */
const ISATAP = 0x5efe

/** The kind of an IP address. A text that is none counts as `never`. */
export function judgeAddress(ip: typeof ipaddr, text: string): AddressKind {
  if (!ip.isValid(text)) return 'never'
  const address = ip.parse(text)
  if (METADATA.has(address.toString())) return 'never'
  const range = address.range()
  if (!isVersion6(address)) return range === 'unicast' ? 'public' : PRIVATE.has(range) ? 'private' : 'never'
  if (address.zoneId !== undefined && address.zoneId !== '') return 'never'
  // Names of IPv4 hosts come as such addresses in networks that have IPv6 only. The well-known prefix alone says which host it is.
  if (range === 'rfc6052' && address.parts.slice(2, 6).every((part) => part === 0))
    return judgeAddress(ip, embeddedAddress(address)) === 'public' ? 'public' : 'never'
  if (PRIVATE.has(range)) return 'private'
  const isGlobal = range === 'unicast' && ((address.parts[0] ?? 0) & 0xe000) === 0x2000
  return isGlobal && address.parts[5] !== ISATAP ? 'public' : 'never'
}

function isVersion6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

/** The IPv4 address in the last four bytes. */
function embeddedAddress(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(12).join('.')
}
