import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, person, question } from '../outputs/shared.ts'
import { plant, randomOf } from '../random.ts'
import { absent, coined, countBy, day, filler, inside, mostOf, round, tally, times } from './shared.ts'

const START = Date.UTC(2026, 3, 7, 9)

/** A page of a web site with navigation, a table of offers and small print. */
export function webPage(seed: number): BenchOutput {
  const random = randomOf(seed)
  const courses = times(310, (at) => ({ code: `K${100 + at}`, title: `${random.pick(['Basics of', 'Advanced', 'Practical'])} ${coined(random, 3)}`, teacher: person(random), city: random.pick(['Basel', 'Chur', 'Thun', 'Zug']), fee: random.int(90, 480), free: random.int(0, 20), starts: day(START + random.int(5, 200) * 86_400_000) }))
  const dear = inside(random, courses)
  dear.fee = random.int(2100, 3900)
  const full = inside(random, courses)
  full.title = `Night ${coined(random, 3)} walk`
  const asked = inside(random, courses)
  const cities = countBy(courses, (each) => each.city)
  const phone = `+41 61 ${random.int(200, 999)} ${random.int(10, 99)} ${random.int(10, 99)}`
  const discount = random.int(11, 39)
  const deadline = `${random.int(2, 28)} November`
  const first = courses.toSorted((a, b) => a.starts.localeCompare(b.starts))[0] ?? dear
  const card = (each: (typeof courses)[number]): string => `<tr class="row" data-id="${random.hex(6)}"><td><a href="/course/${each.code.toLowerCase()}?ref=list">${each.code}</a></td><td>${each.title}</td><td>${each.teacher}</td><td>${each.city}</td><td class="num">${each.fee}</td><td class="num">${each.free}</td><td>${each.starts}</td></tr>`
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Courses | Evening School</title><meta name="description" content="All courses"><style>${times(40, () => `.${coined(random, 2)}{margin:${random.int(1, 9)}px}`).join('')}</style><script>window.__state=${JSON.stringify({ build: random.hex(8), flags: times(30, () => coined(random, 2)) })}</script></head><body><nav><ul>${times(24, () => `<li><a href="/${coined(random, 2)}">${coined(random, 2)}</a></li>`).join('')}</ul></nav><main><h1>Courses of the spring term</h1><p>${filler(random, 30)}</p><h2>Prices</h2><p>Members get ${discount} % off if they register before ${deadline}. ${filler(random)}</p><table id="courses"><thead><tr><th>Code</th><th>Course</th><th>Teacher</th><th>City</th><th>Fee (CHF)</th><th>Places left</th><th>Starts</th></tr></thead><tbody>${courses.map(card).join('\n')}</tbody></table><h2>Cancellation</h2><p>${filler(random, 20)} Refunds are paid within ${discount + 20} days. ${filler(random, 20)}</p><h2>Contact</h2><p>Call us at <b>${phone}</b> &amp; ask for ${courses[4]?.teacher}.</p></main><footer><p>&copy; 2026 Evening School, page 1 of 7. <a rel="next" href="/courses?page=2&amp;key=${random.hex(10)}">Next</a></p></footer></body></html>`
  const next = /page=2&amp;key=(\w+)/.exec(text)?.[1] ?? ''
  return {
    name: 'web page',
    task: 'Find a course that fits my week.',
    text,
    questions: [
      question('extreme', 'Which course is the most expensive?', [[dear.code, dear.title], [String(dear.fee)]], [{ aggregate: { top: 'Fee (CHF)' } }, { aggregate: { top: 'fee' } }]),
      question('needle', 'Which course takes place at night?', all(full.title), [{ query: 'Night' }]),
      question('needle', `Who teaches ${asked.code}?`, [[asked.code], [asked.teacher]], [{ query: asked.code }]),
      question('group', 'How many courses are in Chur?', [tally('Chur', cities['Chur'] ?? 0)], [{ aggregate: { where: { City: 'Chur' }, count: true } }]),
      question('needle', 'What is the phone number of the school?', all(phone), [{ query: 'Call us' }, { query: 'contact' }, { query: 'phone' }]),
      question('needle', 'How much off do members get?', [[`${discount} %`]], [{ query: 'Members' }]),
      question('needle', 'Until when must members register?', all(deadline), [{ query: 'register before' }]),
      question('needle', 'Within how many days are refunds paid?', [[`${discount + 20} days`]], [{ query: 'Refunds' }]),
      question('extreme', 'Which course starts first, and when?', [[first.code, first.title], [first.starts]], [{ aggregate: { min: 'Starts' } }]),
      question('total', 'How many courses are listed?', [[...tally('rows', courses.length), `${courses.length} courses`]], [{ aggregate: { count: true } }]),
      question('needle', 'What is the link to the next page?', [[next]], [{ query: 'Next' }, { query: 'page=2' }]),
      { ...question('absence', 'Are there courses in Bern?', [], [{ aggregate: { where: { City: 'Bern' }, count: true } }, { query: 'Bern' }]), ...absent(cities) },
    ],
  }
}

/** A long manual in Markdown: headings, tables of options, code, notes. */
export function manual(seed: number): BenchOutput {
  const random = randomOf(seed)
  const options = times(240, () => ({ name: `${random.pick(['cache', 'queue', 'http', 'store'])}.${coined(random, 3)}`, type: random.pick(['int', 'bool', 'duration']), value: random.pick(['0', 'true', '30s', '5m', '16']), text: filler(random, 10) }))
  const asked = inside(random, options)
  asked.value = `${random.int(61, 99)}m`
  const removed = inside(random, options)
  const since = `5.${random.int(10, 40)}`
  removed.text = `Removed in ${since}; has no effect.`
  const sections = times(72, () => ({ title: `${random.pick(['Configure', 'Operate', 'Extend', 'Secure'])} ${coined(random, 3)}`, text: times(10, () => filler(random, 22)).join(' ') }))
  const command = `depotctl rebalance --slots ${random.int(1100, 9900)}`
  const limit = random.int(110, 990)
  const danger = coined(random, 3)
  const s = (at: number, text: string): void => void (sections[at] && (sections[at].text += text))
  s(16, `\n\n\`\`\`sh\n${command}\n\`\`\``)
  s(31, `\n\n> **Warning:** Never delete the folder ${danger} while a backup runs.`)
  s(47, ` A cluster supports at most ${limit} nodes.`)
  s(60, ` The default administrator is called ${coined(random, 2)}-root.`)
  const admin = /called (\S+)-root/.exec(sections[60]?.text ?? '')?.[1] ?? ''
  const text = ['---', 'title: Depot manual', `version: ${since}.2`, '---', '# Depot manual', '', ...sections.flatMap((each, at) => [`## ${at + 1}. ${each.title}`, '', each.text, '', ...(at % 3 === 1 ? ['| option | type | default | meaning |', '|---|---|---|---|', ...options.slice(((at - 1) / 3) * 10, ((at - 1) / 3) * 10 + 10).map((option) => `| \`${option.name}\` | ${option.type} | \`${option.value}\` | ${option.text} |`), ''] : [])]), '## Support', '', `Write to help@${coined(random, 2)}.example.`].join('\n')
  const mail = /Write to (\S+)\.$/.exec(text)?.[1] ?? ''
  return {
    name: 'manual',
    task: 'Read the manual and prepare the upgrade of our cluster.',
    text,
    questions: [
      question('needle', `What is the default of ${asked.name}?`, [[asked.name], [asked.value]], [{ query: asked.name }]),
      question('needle', 'Which option was removed?', all(removed.name), [{ query: 'Removed in' }]),
      question('needle', 'Since when?', all(`Removed in ${since}`), [{ query: 'Removed in' }]),
      question('needle', 'With which command does one rebalance?', all(command), [{ query: 'rebalance' }]),
      question('needle', 'What must never be deleted during a backup?', all(danger), [{ query: 'Warning' }, { query: 'never delete' }]),
      question('needle', 'How many nodes does a cluster support?', [[`${limit} nodes`]], [{ query: 'at most' }, { query: 'nodes' }]),
      question('needle', 'What is the default administrator called?', all(`${admin}-root`), [{ query: 'administrator' }]),
      question('needle', 'Which version is the manual for?', all(`${since}.2`), [{ query: 'version' }]),
      question('needle', 'What is section 14 about?', all(sections[13]?.title ?? ''), [{ query: '## 14.' }]),
      question('needle', 'Where can one get help?', all(mail), [{ query: 'Support' }, { query: 'help@' }]),
      question('total', 'How many options of the type duration are there?', [tally('duration', options.filter((each) => each.type === 'duration').length)], [{ query: '| duration |' }, { aggregate: { where: { type: 'duration' }, count: true } }]),
      question('absence', 'Does the manual mention Windows?', [nothing], [{ query: 'Windows' }]),
    ],
  }
}

/** A contract: numbered clauses in plain prose. */
export function contract(seed: number): BenchOutput {
  const random = randomOf(seed)
  const parties = [`${coined(random, 3)} Holdings Ltd`, `${coined(random, 3)} Studios GmbH`]
  const titles = ['Definitions', 'Services', 'Fees', 'Payment', 'Term', 'Termination', 'Confidentiality', 'Liability', 'Data protection', 'Audit', 'Insurance', 'Assignment', 'Notices', 'Governing law', 'Force majeure', 'Entire agreement']
  const fee = random.int(110, 980) * 1000 + 450
  const interest = `${random.int(3, 9)}.${random.int(1, 9)} percent`
  const months = random.int(14, 46)
  const cap = random.int(2, 9) * 1_000_000 + 250_000
  const court = `courts of ${coined(random, 2)}ville`
  const notice = random.int(41, 119)
  const officer = person(random)
  const audits = random.int(15, 29)
  const cover = random.int(11, 19) * 100_000
  const planted: Record<string, string> = {
    Fees: `The Client shall pay an annual fee of EUR ${fee.toLocaleString('en-US')} plus value added tax.`,
    Payment: `Late payments bear interest at ${interest} per year.`,
    Term: `This Agreement begins on 1 October 2026 and runs for ${months} months.`,
    Termination: `Either party may terminate by written notice of ${notice} days.`,
    Liability: `The total liability of the Supplier shall not exceed EUR ${cap.toLocaleString('en-US')}.`,
    'Data protection': `The data protection officer is ${officer}.`,
    Audit: `The Client may audit the premises upon ${audits} working days of notice.`,
    Insurance: `The Supplier keeps a cover of at least EUR ${cover.toLocaleString('en-US')} per claim.`,
    'Governing law': `The ${court} have exclusive jurisdiction.`,
  }
  const clauses = titles.flatMap((title, at) => {
    const subs = times(14, (index) => `${at + 1}.${index + 1} ${times(4, () => filler(random, 26)).join(' ')}`)
    const fact = planted[title]
    if (fact !== undefined) subs[random.int(3, 11)] += ` ${fact}`
    return [`${at + 1}. ${title.toUpperCase()}`, '', ...subs.flatMap((sub) => [sub, ''])]
  })
  return {
    name: 'contract',
    task: 'Read this contract for us and name the risks.',
    text: ['MASTER SERVICES AGREEMENT', '', `between ${parties[0]} (the "Client") and ${parties[1]} (the "Supplier")`, '', ...clauses, `Signed at ${coined(random, 2)}berg on 22 September 2026`].join('\n'),
    questions: [
      question('needle', 'Who is the supplier?', all(parties[1] ?? ''), [{ query: 'the "Supplier"' }]),
      question('needle', 'What is the annual fee?', [[fee.toLocaleString('en-US')]], [{ query: 'annual fee' }]),
      question('needle', 'What interest do late payments bear?', all(interest), [{ query: 'interest' }]),
      question('needle', 'How long does the agreement run?', [[`${months} months`]], [{ query: 'months' }, { query: 'runs for' }]),
      question('needle', 'What is the notice period of termination?', [[`notice of ${notice} days`]], [{ query: 'terminate' }]),
      question('needle', 'What is the cap on liability?', [[cap.toLocaleString('en-US')]], [{ query: 'liability' }, { query: 'total liability' }]),
      question('needle', 'Who is the data protection officer?', all(officer), [{ query: 'data protection officer' }]),
      question('needle', 'How much notice does an audit need?', [[`${audits} working days`]], [{ query: 'audit' }]),
      question('needle', 'Which courts have jurisdiction?', all(court), [{ query: 'jurisdiction' }]),
      question('needle', 'How high is the insurance cover?', [[cover.toLocaleString('en-US')]], [{ query: 'cover of at least' }, { query: 'cover' }]),
      question('needle', 'When was it signed?', all('22 September 2026'), [{ query: 'Signed' }]),
      question('absence', 'Is arbitration agreed?', [nothing], [{ query: 'arbitration' }]),
    ],
  }
}

/** Minutes in several languages. */
export function minutes(seed: number): BenchOutput {
  const random = randomOf(seed)
  const phrases = {
    de: ['Die Gruppe bespricht den Stand der Arbeiten.', 'Der Bericht wird bis zur nächsten Sitzung ergänzt.', 'Es gibt dazu keine weiteren Fragen.', 'Die Unterlagen liegen allen vor.', 'Man dankt für die gute Zusammenarbeit.'],
    fr: ['Le groupe examine l’état des travaux.', 'Le rapport sera complété pour la prochaine séance.', 'Il n’y a pas d’autres questions.', 'Les documents ont été remis à tous.', 'On remercie tous les participants.'],
    es: ['El grupo revisa el estado de los trabajos.', 'El informe se completará para la próxima sesión.', 'No hay más preguntas.', 'Los documentos fueron entregados.', 'Se agradece la colaboración.'],
    ja: ['作業の状況を確認した。', '報告書は次回までに補足する。', '質問はなかった。', '資料は全員に配布済みである。'],
  }
  const budget = `${random.int(200, 900)}.${random.int(100, 999)} Franken`
  const bridge = `${random.int(12, 48)} tonnes`
  const chair = person(random)
  const room = `${coined(random, 2)}saal`
  const yen = `${random.int(12, 98)}万円`
  const fecha = `${random.int(3, 28)} de octubre`
  const votes = `${random.int(17, 29)} zu ${random.int(3, 9)}`
  const engineer = coined(random, 3)
  const facts = [`Der Kredit für die Schule beträgt ${budget}.`, `La passerelle supporte au plus ${bridge}.`, `Zur Vorsitzenden wird ${chair} gewählt.`, `La próxima reunión será el ${fecha}.`, `修理費は${yen}である。`, `Der Antrag wird mit ${votes} Stimmen angenommen.`, `L’ingénieure ${engineer} dirige le chantier.`]
  const parts = times(210, (at) => {
    const language = random.pick(['de', 'fr', 'es', 'ja'] as const)
    return [`${at + 1}. ${random.pick(['Traktandum', 'Point', 'Punto'])} ${coined(random, 2)}`, times(12, () => random.pick(phrases[language])).join(' ')]
  })
  for (const [at, fact] of facts.entries()) {
    const part = parts[20 + at * 25]
    if (part) part[1] += ` ${fact}`
  }
  const text = [`Protokoll / Procès-verbal, ${room}, 4.3.2026`, ...parts.flat(), `Ende / Fin: 17:${random.int(10, 59)}`].join('\n\n')
  return {
    name: 'minutes',
    task: 'What was decided at this meeting?',
    text,
    questions: [
      question('needle', 'How high is the credit for the school?', all(budget), [{ query: 'Kredit Schule' }, { query: 'Kredit' }]),
      question('needle', 'What load does the footbridge carry?', all(bridge), [{ query: 'passerelle' }]),
      question('needle', 'Who was elected as chair?', all(chair), [{ query: 'Vorsitz' }, { query: 'gewählt' }]),
      question('needle', 'When is the next meeting?', all(fecha), [{ query: 'próxima reunión' }]),
      question('needle', 'What does the repair cost in yen?', all(yen), [{ query: '修理費' }, { query: '万円' }]),
      question('needle', 'With how many votes was the motion carried?', all(votes), [{ query: 'Stimmen' }, { query: 'Antrag' }]),
      question('needle', 'Who leads the construction site?', all(engineer), [{ query: 'chantier' }]),
      question('needle', 'In which room was the meeting?', all(room), [{ query: 'Protokoll' }]),
      question('extreme', 'When did it end?', [[/Ende \/ Fin: (\S+)/.exec(text)?.[1] ?? '']], [{ query: 'Ende / Fin' }, { query: 'Ende' }]),
      question('total', 'How many points did the agenda have?', [['210. ', '210 sections', '210 headings', '210 items', '210 of']], [{ query: '210.' }]),
      question('absence', 'Was a swimming pool discussed (Schwimmbad)?', [nothing], [{ query: 'Schwimmbad' }]),
    ],
  }
}

/** Captions of a recorded call. */
export function captions(seed: number): BenchOutput {
  const random = randomOf(seed)
  const people = times(5, () => person(random))
  const clock = (seconds: number): string => `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}.000`
  let at = 0
  const cues = times(420, () => {
    at += random.int(3, 9)
    return { at, who: random.pick(people), text: filler(random, 16) }
  })
  const say = (text: string): (typeof cues)[number] => {
    const cue = inside(random, cues)
    cue.text = text
    return cue
  }
  const price = random.int(210, 980) * 100
  const offer = say(`We can offer the license for ${price} dollars a year.`)
  const date = `${random.int(2, 28)} of August`
  const launch = say(`The launch moves to the ${date} because of the audit.`)
  const vendor = coined(random, 3)
  const blocker = say(`We are blocked by ${vendor}, they have not signed.`)
  const action = say(`I will send the revised ${coined(random, 3)} plan by Thursday.`)
  const plan = action.text.split(' ')[5] ?? ''
  const [talker, most] = mostOf(countBy(cues, (cue) => cue.who))
  const asked = inside(random, cues.filter((cue) => ![offer, launch, blocker, action].includes(cue)))
  const last = cues.at(-1)
  return {
    name: 'captions',
    task: 'Summarise the call and list what people promised.',
    text: ['WEBVTT', '', ...cues.flatMap((cue, index) => [String(index + 1), `${clock(cue.at)} --> ${clock(cue.at + 3)}`, `<v ${cue.who}>${cue.text}</v>`, ''])].join('\n'),
    questions: [
      question('needle', 'What price was offered for the license?', all(String(price)), [{ query: 'license' }]),
      question('needle', 'Who offered it?', [[String(price)], [offer.who]], [{ query: 'license' }]),
      question('needle', 'To which date does the launch move?', all(date), [{ query: 'launch' }]),
      question('needle', 'At what time of the call was that said?', [[clock(launch.at)], [date]], [{ query: 'launch moves' }]),
      question('needle', 'Who blocks the project?', all(vendor), [{ query: 'blocked' }]),
      question('needle', 'What will be sent by Thursday, and by whom?', [[plan], [action.who]], [{ query: 'Thursday' }]),
      question('group', 'Who spoke most often, and how often?', [tally(talker, most)], [{ query: talker }, { aggregate: { groupBy: 'from', count: true } }, { aggregate: { groupBy: 'speaker', count: true } }, { aggregate: { groupBy: 'v', count: true } }]),
      question('needle', `What was said at ${clock(asked.at)}?`, all(asked.text), [{ query: clock(asked.at) }]),
      question('extreme', 'At what time does the recording end?', [[clock(last?.at ?? 0), clock((last?.at ?? 0) + 3)]], [{ query: '420' }]),
      question('total', 'How many people spoke?', [['5 values', '5 different', '5 people', '5 distinct', 'distinct 5']], [{ aggregate: { distinct: 'speaker' } }, { aggregate: { distinct: 'from' } }]),
      question('absence', 'Was hiring mentioned?', [nothing], [{ query: 'hiring' }]),
    ],
  }
}

/** The export of a chat channel: threads, reactions, files. */
export function channelExport(seed: number): BenchOutput {
  const random = randomOf(seed)
  const users = times(9, () => ({ id: `U${random.hex(8).toUpperCase()}`, name: coined(random, 2) }))
  let ts = START / 1000
  const messages = times(380, () => {
    ts += random.int(20, 1900)
    return { type: 'message', user: random.pick(users).id, ts: `${ts}.${random.int(100_000, 999_999)}`, text: filler(random, 20), reactions: random.chance(0.2) ? [{ name: random.pick(['eyes', 'tada', 'ok']), count: random.int(1, 5) }] : [], reply_count: random.chance(0.2) ? random.int(1, 9) : 0 }
  })
  const put = (text: string): (typeof messages)[number] => {
    const message = inside(random, messages)
    message.text = text
    return message
  }
  const password = coined(random, 4)
  const rotated = put(`I rotated the vpn secret, the new one is in the vault under ${password}`)
  const lunch = coined(random, 3)
  put(`Lunch on Friday is at ${lunch}, table for twelve`)
  const ticket = `INC-${random.int(10_000, 99_999)}`
  const outage = put(`Outage started 14:07, tracked as ${ticket}`)
  const cause = coined(random, 3)
  put(`Root cause: the ${cause} certificate expired over the weekend`)
  const loved = inside(random, messages)
  loved.reactions = [{ name: 'rocket', count: random.int(41, 90) }]
  const busy = inside(random, messages)
  busy.reply_count = random.int(51, 99)
  const byUser = countBy(messages, (message) => message.user)
  const [top, most] = mostOf(byUser)
  const asked = inside(random, messages)
  const cursor = Buffer.from(`next_ts:${ts}`).toString('base64')
  const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? ''
  return {
    name: 'channel export',
    task: 'What happened in the channel while I was away?',
    value: { ok: true, channel: { id: 'C04LX', name: 'ops-west', topic: filler(random, 8) }, members: users, messages, has_more: true, response_metadata: { next_cursor: cursor } },
    questions: [
      question('needle', 'Where is the new VPN secret?', all(password), [{ query: 'vpn secret' }, { query: 'vpn' }]),
      question('needle', 'Who rotated it?', [[rotated.user, nameOf(rotated.user)], [password]], [{ query: 'rotated the vpn' }]),
      question('needle', 'Where is lunch on Friday?', all(lunch), [{ query: 'lunch' }]),
      question('needle', 'Under which number is the outage tracked?', all(ticket), [{ query: 'outage' }]),
      question('needle', 'When did it start?', [['14:07'], [outage.user, ticket]], [{ query: 'outage started' }]),
      question('needle', 'What was the root cause?', all(cause), [{ query: 'root cause' }]),
      question('extreme', 'Which message has the most replies?', [[busy.ts, busy.text], [String(busy.reply_count)]], [{ aggregate: { top: 'reply_count' } }]),
      question('needle', 'Which message got rockets, and how many?', [['rocket'], [`${loved.reactions[0]?.count}`]], [{ query: 'rocket' }]),
      question('group', 'Who wrote the most messages, and how many?', [tally(top, most)], [{ aggregate: { groupBy: 'user', count: true } }]),
      question('needle', `What is the text of the message ${asked.ts}?`, all(asked.text), [{ query: asked.ts }]),
      question('needle', 'What is the cursor for more messages?', all(cursor), [{ path: 'response_metadata' }, { query: 'next_cursor' }]),
      question('absence', 'Was a holiday mentioned?', [nothing], [{ query: 'holiday' }]),
    ],
  }
}

/** A mailbox: headers, quoted answers, signatures. */
export function mailbox(seed: number): BenchOutput {
  const random = randomOf(seed)
  const people = times(7, () => person(random))
  const address = (name: string): string => `${name} <${name.split(' ')[0]?.toLowerCase()}@${random.pick(['north', 'south'])}.example>`
  const mails = times(60, (at) => ({ from: random.pick(people), to: random.pick(people), date: new Date(START + at * 20_000_000 + random.int(0, 9_000_000)), subject: `${random.chance(0.5) ? 'Re: ' : ''}${random.pick(['Roof', 'Parking', 'Heating', 'Garden'])} ${coined(random, 2)}`, body: times(9, () => filler(random, 18)), files: random.chance(0.15) ? [`${coined(random, 2)}.pdf`] : [] }))
  const put = (text: string): (typeof mails)[number] => {
    const mail = inside(random, mails)
    plant(random, mail.body, text)
    return mail
  }
  const quote = `${random.int(11, 97)} ${random.int(100, 999)} kroner`
  const roof = put(`The roofer wants ${quote} for both sides.`)
  const plate = `${coined(random, 1).toUpperCase()} ${random.int(10_000, 99_999)}`
  put(`A car with the plate ${plate} stands in front of the gate.`)
  const code = random.int(100_000, 999_999)
  const door = put(`The code of the cellar door is now ${code}.`)
  const iban = `NO${random.int(10, 99)} ${random.int(1000, 9999)} ${random.int(1000, 9999)} ${random.int(100, 999)}`
  put(`Please pay to ${iban} this time.`)
  const bySender = countBy(mails, (mail) => mail.from)
  const [sender, most] = mostOf(bySender)
  const asked = inside(random, mails)
  const attached = inside(random, mails)
  attached.files = [`minutes-${random.hex(4)}.docx`]
  const text = mails.map((mail, at) => [`From: ${address(mail.from)}`, `To: ${address(mail.to)}`, `Date: ${mail.date.toUTCString().replace('GMT', '+0000')}`, `Subject: ${mail.subject}`, `Message-ID: <${random.hex(10)}@mail.example>`, ...mail.files.map((file) => `X-Attachment: ${file}`), '', ...mail.body, '', ...(at > 0 ? ['On an earlier day somebody wrote:', ...(mails[at - 1]?.body.slice(0, 3) ?? []).map((line) => `> ${line}`)] : []), '-- ', mail.from, ''].join('\n')).join('\n')
  const latest = highest(mails, (mail) => mail.date.getTime())
  return {
    name: 'mailbox',
    task: 'What do the owners of the house disagree about?',
    text,
    questions: [
      question('needle', 'What does the roofer want?', all(quote), [{ query: 'roofer' }]),
      question('needle', 'Who wrote about the roofer?', [[roof.from], [quote]], [{ query: 'roofer' }]),
      question('needle', 'Which car stands in front of the gate?', all(plate), [{ query: 'plate' }]),
      question('needle', 'What is the code of the cellar door?', all(String(code)), [{ query: 'cellar door' }]),
      question('needle', 'On which day was the code sent?', [[String(code)], [door.date.toUTCString().slice(5, 16), door.date.toISOString().slice(0, 10)]], [{ query: 'cellar door' }]),
      question('needle', 'To which account should one pay?', all(iban), [{ query: 'pay to' }]),
      question('group', 'Who wrote the most mails, and how many?', [[...tally(sender, most), ...tally(`${sender} <${sender.split(' ')[0]?.toLowerCase()}@north.example>`, most)]], [{ aggregate: { groupBy: 'from', count: true } }, { query: `From: ${sender}` }]),
      question('total', 'How many mails are there?', [[...tally('rows', mails.length), `${mails.length} messages`, `${mails.length} mails`, `${mails.length} records`]], [{ query: 'Message-ID' }, { aggregate: { count: true } }]),
      question('needle', 'Which minutes were attached?', all(attached.files[0] ?? ''), [{ query: 'minutes' }, { query: 'Attachment' }]),
      question('extreme', 'What is the subject of the latest mail?', [[latest.subject], [latest.date.toUTCString().slice(5, 16), latest.date.toISOString().slice(0, 10)]], [{ aggregate: { max: 'date' } }]),
      question('needle', `Who sent "${asked.subject}"?`, [[asked.subject], [asked.from]], [{ query: asked.subject }]),
      question('absence', 'Did anybody write about bicycles?', [nothing], [{ query: 'bicycle' }]),
    ],
  }
}

/** A table of measurements in a report, fixed width, with notes at its foot. */
export function starTable(seed: number): BenchOutput {
  const random = randomOf(seed)
  const stars = times(800, (at) => ({ name: `KX-${1000 + at * 7}`, ra: round(random.next() * 360, 4), dec: round(random.next() * 180 - 90, 4), mag: round(6 + random.next() * 8, 2), parallax: round(0.5 + random.next() * 20, 3), type: random.pick(['G2V', 'K0V', 'M3V', 'F5IV', 'A1V']), flag: random.chance(0.1) ? 'b' : '' }))
  const bright = inside(random, stars)
  bright.mag = round(-1 + random.next() * 0.8, 2)
  const near = inside(random, stars)
  near.parallax = round(400 + random.next() * 300, 3)
  const odd = inside(random, stars)
  odd.type = 'WC8'
  const asked = inside(random, stars)
  const types = countBy(stars, (star) => star.type)
  const line = (star: (typeof stars)[number]): string => `${star.name.padEnd(10)}${star.ra.toFixed(4).padStart(10)}${star.dec.toFixed(4).padStart(10)}${star.mag.toFixed(2).padStart(8)}${star.parallax.toFixed(3).padStart(10)}  ${star.type.padEnd(6)}${star.flag}`
  const observer = person(random)
  const error = `0.0${random.int(11, 99)}`
  return {
    name: 'star table',
    task: 'Pick stars for the next observation.',
    text: [`# Catalogue KX, epoch J2016.0, observer ${observer}`, '# Units: deg, deg, mag, mas', `${'Name'.padEnd(10)}${'RA'.padStart(10)}${'DEC'.padStart(10)}${'Vmag'.padStart(8)}${'Plx'.padStart(10)}  ${'SpT'.padEnd(6)}Flag`, '-'.repeat(58), ...stars.map(line), '-'.repeat(58), 'Notes:', 'b: blended with a neighbour', `Mean error of the parallaxes: ${error} mas`].join('\n'),
    questions: [
      question('extreme', 'Which star is the brightest (lowest Vmag)?', [[bright.name], [bright.mag.toFixed(2), String(bright.mag)]], [{ aggregate: { min: 'Vmag' } }]),
      question('extreme', 'Which star has the largest parallax?', [[near.name], [near.parallax.toFixed(3), String(near.parallax)]], [{ aggregate: { top: 'Plx' } }]),
      question('needle', 'Is there an unusual spectral type?', [[odd.name], ['WC8']], [{ query: 'WC8' }, { aggregate: { groupBy: 'SpT', count: true } }]),
      question('needle', `Where is ${asked.name}?`, [[asked.name], [asked.ra.toFixed(4), String(asked.ra)]], [{ query: asked.name }]),
      question('group', 'How many stars have the type M3V?', [tally('M3V', types['M3V'] ?? 0)], [{ aggregate: { where: { SpT: 'M3V' }, count: true } }, { query: 'M3V' }]),
      question('total', 'How many stars are there?', [[...tally('rows', stars.length), `${stars.length} stars`]], [{ aggregate: { count: true } }]),
      question('needle', 'What does the flag b mean?', all('blended with a neighbour'), [{ query: 'b:' }, { query: 'Notes' }]),
      question('needle', 'What is the mean error of the parallaxes?', all(error), [{ query: 'Mean error' }]),
      question('needle', 'Who observed?', all(observer), [{ query: 'observer' }]),
      question('needle', 'What is the unit of the parallax?', all('Units: deg, deg, mag, mas'), [{ query: 'Units' }]),
      question('total', 'How many stars are blended (flag b)?', [tally('b', stars.filter((star) => star.flag === 'b').length)], [{ aggregate: { where: { Flag: 'b' }, count: true } }]),
      { ...question('absence', 'Is there a star of the type O9V?', [], [{ query: 'O9V' }, { aggregate: { where: { SpT: 'O9V' }, count: true } }]), ...absent(types) },
    ],
  }
}
