import type * as Readability from '@mozilla/readability'
import type * as Linkedom from 'linkedom'
import type * as Unpdf from 'unpdf'
import { missingPackage } from '../../../tool/missing-package.ts'

/** The parser of pages. It is an optional package, loaded in the worker that reads a page. */
export async function loadLinkedom(): Promise<typeof Linkedom> {
  try {
    return await import('linkedom')
  } catch (cause) {
    throw missingPackage(cause, 'linkedom@0.18.12', 'to read web pages and feeds')
  }
}

/** Finds the article of a page. */
export async function loadReadability(): Promise<typeof Readability> {
  try {
    return await import('@mozilla/readability')
  } catch (cause) {
    throw missingPackage(cause, '@mozilla/readability', 'to find the article of a web page')
  }
}

/** Reads PDF documents. */
export async function loadUnpdf(): Promise<typeof Unpdf> {
  try {
    return await import('unpdf')
  } catch (cause) {
    throw missingPackage(cause, 'unpdf', 'to read PDF documents')
  }
}
