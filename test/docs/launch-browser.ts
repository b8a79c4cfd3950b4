import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * A Chromium out of its npm package, without a system package. It is unpacked into a folder of the test, which takes a few seconds. It runs without
 * its own sandbox: for our pages only.
 */
export async function launchBrowser(folder: string): Promise<Browser> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const executablePath = await chromium.executablePath()
    return await playwright.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
