import type { FromJsonSchema } from '../../../schema/schema-types.ts'

/** The input schema of `web_scrape`. */
export function scrapeInput(maxCharacters: number) {
  return {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, description: 'The address of the page: https://example.com/page.' },
      extent: {
        type: 'string',
        enum: ['article', 'page'],
        default: 'article',
        description: "'article': the main text of the page, where one is found. 'page': everything, with menus.",
      },
      fromCharacter: { type: 'integer', minimum: 0, default: 0, description: 'Read on from here, as a truncated answer said.' },
      maxCharacters: {
        type: 'integer',
        minimum: 100,
        maximum: maxCharacters,
        description: `The most to give back; ${maxCharacters} by default.`,
      },
      links: { type: 'boolean', default: false, description: 'Whether to list the links of the page too.' },
    },
    required: ['url'],
  } as const
}

/** The output schema of `web_scrape`. */
export const SCRAPE_OUTPUT = {
  type: 'object',
  properties: {
    url: { type: 'string', description: 'The address that answered, after redirects.' },
    requestedUrl: { type: 'string' },
    kind: { type: 'string', enum: ['html', 'text', 'json', 'feed', 'pdf'] },
    contentType: { type: 'string' },
    charset: { type: 'string' },
    title: { type: 'string' },
    language: { type: 'string' },
    author: { type: 'string' },
    published: { type: 'string' },
    description: { type: 'string' },
    siteName: { type: 'string' },
    extent: { type: 'string', enum: ['article', 'page'], description: 'What the content is of a page.' },
    pages: { type: 'integer', description: 'How many pages a PDF has.' },
    content: { type: 'string', description: 'The text, with headings, links and tables.' },
    links: {
      type: 'array',
      items: { type: 'object', properties: { text: { type: 'string' }, url: { type: 'string' } }, required: ['text', 'url'] },
    },
    characters: { type: 'integer', description: 'The length of the whole text.' },
    bytes: { type: 'integer', description: 'How much of the document was read.' },
    truncated: { type: 'boolean', description: 'Whether the content is less than the whole document.' },
    next: {
      type: 'object',
      description: 'Where to read on.',
      properties: { fromCharacter: { type: 'integer' } },
      required: ['fromCharacter'],
    },
    retrievedAt: { type: 'string' },
  },
  required: ['url', 'requestedUrl', 'kind', 'contentType', 'content', 'characters', 'bytes', 'truncated', 'retrievedAt'],
} as const

export type ScrapeRequest = FromJsonSchema<ReturnType<typeof scrapeInput>, 'output'>
/** The output of `web_scrape`. */
export type WebPage = FromJsonSchema<typeof SCRAPE_OUTPUT, 'output'>
