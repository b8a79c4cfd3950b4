const OLDEST = [22, 19] as const

/** What to tell the user of a Node that is too old, or undefined. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld
    ? `Toolwright needs Node ${OLDEST.join('.')} or newer; this is Node ${version}.\nInstall one, or give it to this project alone: npm install --save-dev node@24. Its npm scripts and npx use it then.`
    : undefined
}
