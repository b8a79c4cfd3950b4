import { printable } from '../tool/printable.ts'
import type { CatalogOptions, Gap } from './selection.ts'

/** Characters of a request that a gap tells. */
const MAX_REQUEST = 500

/** Tells a program that no tool fits a request. A request without a word is no gap. */
export function tellGap(onGap: CatalogOptions['onGap'], { request, principal, nearest }: Omit<Gap, 'at'>): void {
  if (onGap === undefined || request.trim() === '') return
  try {
    onGap({ request: request.slice(0, MAX_REQUEST), principal, nearest, at: Date.now() })
  } catch (error) {
    // Who asks for tools is not to blame for a listener.
    process.emitWarning(printable(`The onGap of a catalog threw: ${String(error)}`), 'ToolwrightWarning')
  }
}
