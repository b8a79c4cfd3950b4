import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { plant, randomOf } from '../random.ts'
import { coined, countBy, mostOf, tally, times } from './shared.ts'

const START = Date.UTC(2026, 8, 14, 3)

/** A log of logins in the format of syslog. */
export function authLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const users = times(9, () => coined(random, 2))
  const attackers = times(14, () => `203.0.${random.int(2, 250)}.${random.int(2, 250)}`)
  let at = START
  const stamp = (): string =>
    new Date((at += random.int(1000, 40_000))).toUTCString().replace(/^\w+, (\d+) (\w+) \d+ (\S+) GMT$/, '$2 $1 $3')
  const tries: { ip: string; user: string }[] = []
  const accepted: string[] = []
  const lines = times(1100, () => {
    const head = `${stamp()} bastion`
    const pid = random.int(2000, 30_000)
    const what = random.next()
    if (what < 0.55) {
      const each = {
        ip: random.chance(0.4) ? (attackers[3] ?? '') : random.pick(attackers),
        user: random.pick(['root', 'admin', 'oracle', 'pi']),
      }
      tries.push(each)
      return `${head} sshd[${pid}]: Failed password for invalid user ${each.user} from ${each.ip} port ${random.int(1025, 65_000)} ssh2`
    }
    if (what < 0.75) {
      const user = random.pick(users)
      accepted.push(user)
      return `${head} sshd[${pid}]: Accepted publickey for ${user} from 10.8.0.${random.int(2, 60)} port ${random.int(1025, 65_000)} ssh2: ED25519 SHA256:${random.hex(16)}`
    }
    if (what < 0.9) return `${head} CRON[${pid}]: pam_unix(cron:session): session opened for user ${random.pick(users)} by (uid=0)`
    return `${head} systemd-logind[611]: New session ${random.int(100, 9999)} of user ${random.pick(users)}.`
  })
  const intruder = coined(random, 3)
  const address = `198.51.100.${random.int(3, 250)}`
  plant(random, lines, `Sep 14 05:12:44 bastion sshd[9124]: Accepted password for ${intruder} from ${address} port 51122 ssh2`)
  const file = `/etc/${coined(random, 3)}.conf`
  plant(random, lines, `Sep 14 05:13:20 bastion sudo: ${intruder} : TTY=pts/3 ; PWD=/tmp ; USER=root ; COMMAND=/usr/bin/vim ${file}`)
  const disk = `sd${random.pick(['b', 'c', 'd'])}`
  plant(random, lines, `Sep 14 04:41:09 bastion kernel: [88123.4471] blk_update_request: I/O error, dev ${disk}, sector 48122368`)
  const [worst, count] = mostOf(countBy(tries, (each) => each.ip))
  const [name, logins] = mostOf(countBy(accepted, (user) => user))
  const byUser = countBy(tries, (each) => each.user)
  return {
    name: 'auth log',
    task: 'Check whether somebody broke into this machine.',
    text: lines.join('\n'),
    questions: [
      question('needle', 'Who logged in with a password, and from where?', [[intruder], [address]], [{ query: 'Accepted password' }]),
      question('needle', 'Which file was edited with sudo?', all(file), [{ query: 'sudo' }, { query: 'COMMAND' }]),
      question('needle', 'Which device has I/O errors?', [[`dev ${disk}`]], [{ query: 'I/O error' }]),
      question(
        'total',
        'How many failed passwords are there?',
        [
          [
            ...tally('Failed password', tries.length),
            `${tries.length}x`,
            `${tries.length} x`,
            `${tries.length} times`,
            `${tries.length} ×`,
          ],
        ],
        [{ query: 'Failed password' }],
      ),
      question(
        'group',
        'Which address failed most often, and how often?',
        [tally(worst, count)],
        [{ aggregate: { groupBy: 'from', count: true } }, { aggregate: { groupBy: 'ip', count: true } }, { query: worst }],
      ),
      question(
        'group',
        'How often was the user oracle tried?',
        [tally('oracle', byUser['oracle'] ?? 0)],
        [{ query: 'invalid user oracle' }],
      ),
      question(
        'group',
        'Who logged in by key most often?',
        [tally(name, logins)],
        [{ aggregate: { groupBy: 'for', count: true } }, { aggregate: { groupBy: 'publickey for', count: true } }],
      ),
      question(
        'total',
        'How many logins by public key were accepted?',
        [[...tally('Accepted publickey', accepted.length), `${accepted.length}x`, `${accepted.length} times`, `${accepted.length} ×`]],
        [{ query: 'Accepted publickey' }],
      ),
      question('extreme', 'When does the log end?', all((lines.at(-1) ?? '').slice(0, 15)), [{ aggregate: { max: 'time' } }]),
      question('needle', 'When did the login with a password happen?', all('05:12:44'), [{ query: 'Accepted password' }]),
      question('absence', 'Was there a reboot?', [nothing], [{ query: 'reboot' }]),
    ],
  }
}
