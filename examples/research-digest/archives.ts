import { failure, parallel, quorum, tool } from 'toolwright'
import { z } from 'zod'

const Query = z.object({ topic: z.string() })

interface Paper {
  readonly id: string
  readonly title: string
  readonly year: number
  readonly citations: number
  readonly abstract: string
}

/** Papers as an archive gives them: many, long, and much the same. */
function papersOf(archive: string, count: number, topic: string): Paper[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${archive}-${1000 + at}`,
    title: `${topic}: observations, part ${at + 1}`,
    year: 2005 + (at % 21),
    citations: (at * 37) % 400,
    abstract: `We look at ${topic} in the field and in the basin. The sample has ${20 + (at % 90)} animals. Limits of the method are discussed, and further work is named.`,
  }))
}

/** An archive that answers with everything that it has. */
export const river = tool({
  name: 'search_river_archive',
  description: 'Searches the archive of the river institute.',
  effect: 'read',
  inputSchema: Query,
  execute: ({ topic }) => ({
    papers: papersOf('river', 180, topic).map((paper) =>
      paper.id === 'river-1077' ? { ...paper, citations: 4211, title: `${topic} at night: a census of 1,904 dens` } : paper,
    ),
  }),
})

export const coast = tool({
  name: 'search_coast_archive',
  description: 'Searches the archive of the coast guard.',
  effect: 'read',
  inputSchema: Query,
  execute: ({ topic }) => ({ papers: papersOf('coast', 140, topic) }),
})

/** An archive that is down. */
export const arctic = tool({
  name: 'search_arctic_archive',
  description: 'Searches the archive of the arctic station.',
  effect: 'read',
  inputSchema: Query,
  execute: () => failure('The station has no connection.', { code: 'service_unavailable' }),
})

/** One tool for the model: two of three archives are enough. */
export const searchArchives = parallel(
  { river, coast, arctic },
  { name: 'search_archives', description: 'Searches three archives at the same time.', join: quorum({ count: 2 }) },
)
