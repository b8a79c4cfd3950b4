import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, skewed, tally, times } from './shared.ts'

/** A recursive listing of folders. */
export function folderListing(seed: number): BenchOutput {
  const random = randomOf(seed)
  const owners = ['deploy', 'www-data', 'root', 'backup']
  const endings = ['jpg', 'pdf', 'csv', 'log', 'xml']
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May']
  const folders = times(34, (at) => ({
    path: `./srv/${coined(random, 2)}${at}`,
    files: times(random.int(12, 34), () => ({
      name: `${coined(random, 3)}.${random.pick(endings)}`,
      size: skewed(random, 200, 400_000),
      owner: random.pick(owners.slice(0, 2)),
      mode: '-rw-r--r--',
      date: `${random.pick(months)} ${String(random.int(1, 28)).padStart(2)} ${String(random.int(0, 23)).padStart(2, '0')}:${random.int(10, 59)}`,
    })),
  }))
  const files = folders.flatMap((folder) => folder.files.map((file) => ({ file, folder })))
  const big = inside(random, files)
  big.file.size = random.int(4_100_000_000, 9_000_000_000)
  const open = inside(random, files)
  open.file.mode = '-rwxrwxrwx'
  const key = inside(random, files)
  Object.assign(key.file, { name: `id_${coined(random, 2)}.pem`, owner: 'root', mode: '-rw-------' })
  const asked = inside(random, files)
  const fullest = highest(folders, (folder) => folder.files.length * 1000 + sumOf(folder.files, (file) => file.size) / 1e12)
  const kinds = countBy(files, ({ file }) => file.name.split('.').at(-1) ?? '')
  const byOwner = countBy(files, ({ file }) => file.owner)
  const text = folders
    .map((folder) =>
      [
        `${folder.path}:`,
        `total ${sumOf(folder.files, (file) => Math.ceil(file.size / 1024))}`,
        ...folder.files.map(
          (file) => `${file.mode} 1 ${file.owner.padEnd(8)} staff ${String(file.size).padStart(11)} ${file.date} ${file.name}`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
  return {
    name: 'folder listing',
    task: 'The disk of the file server fills up. What lies there?',
    text,
    questions: [
      question(
        'extreme',
        'Which file is the largest, and how large is it?',
        [[big.file.name], number(big.file.size)],
        [{ aggregate: { top: 'size' } }, { aggregate: { top: 'staff' } }],
      ),
      question('needle', 'In which folder is the largest file?', [[big.file.name], [big.folder.path]], [{ query: big.file.name }]),
      question('needle', 'Which file may everybody write to?', all(open.file.name), [{ query: '-rwxrwxrwx' }]),
      question('needle', 'Where is a private key?', [[key.file.name]], [{ query: '.pem' }]),
      question('needle', `How large is ${asked.file.name}?`, all(asked.file.name, String(asked.file.size)), [{ query: asked.file.name }]),
      question(
        'total',
        'How many folders are listed?',
        [
          [
            ...tally('folders', folders.length),
            `${folders.length} sections`,
            `${folders.length} groups`,
            `${folders.length} tables`,
            `${folders.length} values`,
          ],
        ],
        [{ query: './srv/' }, { query: 'total ' }],
      ),
      question('group', 'How many PDF files are there?', [tally('pdf', kinds['pdf'] ?? 0)], [{ query: '.pdf' }]),
      question(
        'group',
        'How many files belong to www-data?',
        [tally('www-data', byOwner['www-data'] ?? 0)],
        [{ query: 'www-data' }, { aggregate: { where: { owner: 'www-data' }, count: true } }],
      ),
      question(
        'needle',
        `What is the newest entry of ${fullest.path} called first in the list?`,
        [[fullest.files[0]?.name ?? '']],
        [{ query: `${fullest.path}:` }],
      ),
      question('absence', 'Is there a zip file?', [nothing], [{ query: '.zip' }]),
      question(
        'total',
        'How many files are there in all?',
        [[...tally('rows', files.length), `${files.length} files`, `${files.length} records`]],
        [{ query: ' staff ' }, { aggregate: { count: true } }],
      ),
    ],
  }
}
