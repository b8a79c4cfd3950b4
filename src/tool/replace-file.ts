import { cryptoModule } from './crypto-module.ts'

interface Replacing {
  /** The rights of a file that is made. */
  readonly mode: number
}

/** Replaces a file at once: whoever reads it finds the old one or the new one, also after a crash. */
export async function replaceFile(path: string, text: string, { mode }: Replacing): Promise<void> {
  // Few programs write files: it is loaded for the first one.
  const { open, rename, rm } = await import('node:fs/promises')
  const beside = `${path}.${cryptoModule().randomUUID()}.tmp`
  try {
    const file = await open(beside, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
