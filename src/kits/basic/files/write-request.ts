import type { WriteMode } from './write-schema.ts'

/** What `file_write` was asked to do, with defaults in place. */
export interface WriteRequest {
  readonly path: string
  readonly content: string
  readonly mode: WriteMode
  readonly encoding: 'utf8' | 'base64'
  readonly parents: boolean
  readonly ifHash?: string | undefined
}
