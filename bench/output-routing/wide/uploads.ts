import type { BenchOutput } from '../bench-output.ts'
import { all, highest, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** Uploads: small descriptions around large encoded contents. */
export function uploads(seed: number): BenchOutput {
  const random = randomOf(seed)
  const note = `The key of the locker is ${random.int(1000, 9999)}-${coined(random, 2)}.`
  const files = times(34, (at) => ({
    fileId: `f_${random.hex(8)}`,
    fileName: `${coined(random, 2)}.${random.pick(['png', 'pdf', 'zip'])}`,
    uploadedBy: random.pick(['ilse', 'marek', 'joana']),
    uploadedAt: new Date(START + at * 5_000_000).toISOString(),
    bytes: 0,
    sha256: random.hex(64),
    scan: 'clean',
    labels: random.chance(0.3) ? [random.pick(['tax', 'draft', 'signed'])] : [],
    content: '',
  }))
  for (const file of files) {
    const bytes = Buffer.from(times(random.int(700, 3000), () => random.int(0, 255)))
    file.bytes = bytes.length
    file.content = bytes.toString('base64')
  }
  const big = highest(files, (file) => file.bytes)
  const infected = inside(random, files)
  const virus = `Eicar.${coined(random, 2)}`
  infected.scan = `infected: ${virus}`
  const text = inside(
    random,
    files.filter((file) => file !== infected && file !== big),
  )
  Object.assign(text, { fileName: 'note.txt', bytes: note.length, content: Buffer.from(note).toString('base64') })
  const asked = inside(random, files)
  const people = countBy(files, (file) => file.uploadedBy)
  const quota = random.int(100_000, 900_000)
  const continuation = `k${random.hex(14)}`
  const total = sumOf(files, (file) => file.bytes)
  return {
    name: 'uploads',
    task: 'Check the files that customers sent us.',
    value: { files, quota: { usedBytes: quota, limitBytes: 10_000_000 }, continuation },
    questions: [
      question(
        'needle',
        'Which file is infected, and with what?',
        [[infected.fileId, infected.fileName], [virus]],
        [{ query: 'infected' }],
      ),
      question(
        'needle',
        'What does note.txt say?',
        [[note, Buffer.from(note).toString('base64')]],
        [{ query: 'note.txt' }, { path: "files[?fileName=='note.txt']" }],
      ),
      question(
        'extreme',
        'Which file is the largest?',
        [[big.fileName, big.fileId], [String(big.bytes)]],
        [{ aggregate: { top: 'bytes' } }],
      ),
      question('needle', `What is the checksum of ${asked.fileId}?`, all(asked.sha256), [
        { query: asked.fileId },
        { path: `files[?fileId=='${asked.fileId}'].sha256` },
      ]),
      question(
        'group',
        'How many files did marek upload?',
        [tally('marek', people['marek'] ?? 0)],
        [{ aggregate: { where: { uploadedBy: 'marek' }, count: true } }],
      ),
      question(
        'total',
        'How many files are there?',
        [[...tally('rows', files.length), ...tally('files', files.length)]],
        [{ path: 'length(files)' }],
      ),
      question('total', 'How many bytes do the files have in all?', [number(total)], [{ aggregate: { sum: 'bytes' } }]),
      question('needle', 'How much of the quota is used?', [number(quota)], [{ path: 'quota' }]),
      question('needle', 'With what can the list be continued?', all(continuation), [{ path: 'continuation' }]),
      question(
        'extreme',
        'When was the last file uploaded?',
        [[files.at(-1)?.uploadedAt ?? '', (files.at(-1)?.uploadedAt ?? '').slice(0, 19)]],
        [{ aggregate: { max: 'uploadedAt' } }],
      ),
      question(
        'total',
        'How many files are labelled signed?',
        [tally('signed', files.filter((file) => file.labels.includes('signed')).length)],
        [{ query: '"signed"' }, { query: 'signed' }],
      ),
      {
        ...question(
          'absence',
          'Did somebody called viktor upload a file?',
          [],
          [{ query: 'viktor' }, { aggregate: { where: { uploadedBy: 'viktor' }, count: true } }],
        ),
        ...absent(people),
      },
    ],
  }
}
