/** The names of this machine, as the Host header has them. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether only programs of this machine reach the host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
