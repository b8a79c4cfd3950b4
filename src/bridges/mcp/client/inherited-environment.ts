const POSIX = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']
const WINDOWS =
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR'.split(
    ' ',
  )

/** The variables that every program needs. The others may be secrets that are no business of a server. */
export function inheritedEnvironment(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = process.platform === 'win32' ? WINDOWS : POSIX
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      // Shells export functions in this form.
      return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
    }),
  )
}
