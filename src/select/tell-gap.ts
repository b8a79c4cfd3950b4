import type { CatalogOptions, Gap } from './selection.ts'
import { tellListener } from './tell-listener.ts'

/** Characters of a request that a gap tells. */
const MAX_REQUEST = 500

/** Tells a program that no tool fits a request. A request without a word is no gap. */
export function tellGap(onGap: CatalogOptions['onGap'], { request, principal, nearest }: Omit<Gap, 'at'>): void {
  if (onGap === undefined || request.trim() === '') return
  tellListener('The onGap of a catalog', () => onGap({ request: request.slice(0, MAX_REQUEST), principal, nearest, at: Date.now() }))
}
