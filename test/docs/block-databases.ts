import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { stopEmbedded } from '../../src/store/stop-embedded.ts'
import { fillHome } from '../fixtures/prepared.ts'

interface Block {
  readonly name: string
  readonly code: string
}

/** Code that opens a database. A block that is not found here makes its data itself. */
const OPENS = /\bdatabase\b|openStore|\.start\(/

/** Gives every block of code the environment of a database of its own, which exists only if it uses it. */
export function blockDatabases(): (block: Block) => Readonly<Record<string, string>> {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tw-docs-'))
    // The server of root's processes runs as another user, who has to get in.
    await chmod(folder, 0o755)
  })
  afterAll(async () => {
    for (const each of await readdir(folder)) await stopEmbedded(join(folder, each))
    await rm(folder, { recursive: true, force: true })
  })
  return ({ name, code }) => {
    const home = join(folder, name)
    if (OPENS.test(code)) fillHome(home)
    return { TOOLWRIGHT_HOME: home, DATABASE_URL: '' }
  }
}
