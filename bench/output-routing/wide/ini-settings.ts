import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, filler, inside, tally, times } from './shared.ts'

/** Settings in sections with comments. */
export function iniSettings(seed: number): BenchOutput {
  const random = randomOf(seed)
  const sections = times(280, () => ({
    name: `vhost "${coined(random, 3)}"`,
    root: `/var/www/${coined(random, 2)}`,
    limit: random.int(8, 64),
    workers: random.int(2, 16),
    user: random.pick(['www', 'media', 'intern']),
    timeout: random.pick([30, 60, 90]),
    cert: `/etc/ssl/${random.hex(6)}.crt`,
    isOff: false,
  }))
  const off = inside(random, sections)
  off.isOff = true
  const wide = inside(random, sections)
  wide.limit = random.int(900, 2000)
  const slow = inside(random, sections)
  slow.timeout = random.int(1200, 3600)
  const asked = inside(random, sections)
  const level = random.pick(['notice', 'emerg', 'crit'])
  const pid = `/run/${coined(random, 2)}.pid`
  const upstream = `10.${random.int(1, 250)}.7.${random.int(2, 250)}:9000`
  const text = [
    '; main settings',
    '[global]',
    `pid = ${pid}`,
    `log_level = ${level}`,
    'daemonize = no',
    `process.max = ${random.int(128, 512)}`,
    '',
    ...sections.flatMap((each) => [
      `[${each.name}]`,
      `; ${filler(random, 10)}`,
      `root = ${each.root}`,
      `upload_max = ${each.limit}M`,
      `workers = ${each.workers}`,
      `user = ${each.user}`,
      `timeout = ${each.timeout}`,
      `;timeout = ${random.int(10, 20)}`,
      `ssl_certificate = ${each.cert}`,
      ...(each.isOff ? ['enabled = false'] : []),
      `access_log = /var/log/${coined(random, 2)}.log combined`,
      '',
    ]),
    '[fastcgi]',
    `upstream = ${upstream}`,
    'keepalive = 12',
  ].join('\n')
  const users = countBy(sections, (each) => each.user)
  return {
    name: 'ini settings',
    task: 'Move this web server to another machine.',
    text,
    questions: [
      question(
        'needle',
        'Which log level is set?',
        [[`log_level = ${level}`, `log_level: ${level}`, `log_level ${level}`, `log_level=${level}`]],
        [{ query: 'log_level' }],
      ),
      question('needle', 'Where is the pid file?', all(pid), [{ query: 'pid' }]),
      question('needle', 'Which host is switched off?', all(off.name.slice(7, -1)), [{ query: 'enabled = false' }, { query: 'enabled' }]),
      question(
        'extreme',
        'Which host allows the largest uploads?',
        [[wide.name.slice(7, -1)], [`${wide.limit}`]],
        [{ aggregate: { top: 'upload_max' } }],
      ),
      question(
        'extreme',
        'What is the longest timeout, and of which host?',
        [[slow.name.slice(7, -1)], [String(slow.timeout)]],
        [{ aggregate: { top: 'timeout' } }],
      ),
      question('needle', `Which certificate does ${asked.name} use?`, all(asked.cert), [{ query: asked.name }]),
      question(
        'total',
        'How many hosts run as media?',
        [tally('media', users['media'] ?? 0)],
        [{ query: 'user = media' }, { aggregate: { where: { user: 'media' }, count: true } }],
      ),
      question(
        'total',
        'How many hosts are configured?',
        [
          [
            ...tally('vhost', sections.length),
            `${sections.length} sections`,
            `${sections.length + 2} sections`,
            `${sections.length + 2} rows`,
          ],
        ],
        [{ query: '[vhost' }, { query: 'root =' }],
      ),
      question('needle', 'What is the address of the upstream?', all(upstream), [{ query: 'upstream' }]),
      question(
        'total',
        'How many workers are there in all hosts?',
        [number(sumOf(sections, (each) => each.workers)).flatMap((each) => [`sum ${each}`, `sum of workers ${each}`])],
        [{ aggregate: { sum: 'workers' } }],
      ),
      question('absence', 'Is there a setting for gzip?', [nothing], [{ query: 'gzip' }]),
    ],
  }
}
