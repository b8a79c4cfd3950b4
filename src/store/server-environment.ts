/** What the server and its watcher see of our environment: nothing that could be a secret, and no options for Node. */
export function serverEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LD_LIBRARY_PATH, TMPDIR } = process.env
  return {
    PATH,
    LC_ALL: 'C',
    ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
  }
}
