/** Whether a person can be asked here: standard input and both outputs are a terminal that can move its cursor. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb'
}
