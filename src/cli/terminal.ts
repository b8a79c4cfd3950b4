/** Whether a person can be asked here: standard input and both outputs are a terminal that can move its cursor. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb'
}

/** Some terminals do not tell their size: a serial line, a container without one. A question would be one letter wide there. */
export function ensureSize(stream: Pick<NodeJS.WriteStream, 'columns' | 'rows'>): void {
  if (stream.columns === 0) stream.columns = 80
  if (stream.rows === 0) stream.rows = 24
}
