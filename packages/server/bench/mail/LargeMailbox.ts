/**
 * Reads a mailbox with many generated mails: the first sync, looks without a change, a reconnect, and a second sync of a
 * renumbered folder in which mails are moved and expunged meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { progress } from "@leadloom/testkit/bench/Bench"
import type { Dovecot } from "@leadloom/testkit/imap/Dovecot"
import { peakMiB, residentMiB } from "../profiling/ProcessUse.ts"
import { type Tally, tallyOf } from "../../chaos/Tally.ts"
import { type ConnectedMailbox, mailboxEmail, withMailbox } from "./ConnectedMailbox.ts"
import type { RelayedCommand } from "./CommandRelay.ts"

const dayMillis = 86_400_000
/** The mails arrived evenly within this time. It is shorter than the default reach of a first sync. */
const spanMillis = 25 * dayMillis
const senders = 2_000
const body = "We need an offer for the roof of a two-storey house, about 140 square metres.\r\n".repeat(20)
const pollMillis = 500
const maxWaitMillis = 180_000

const letter = (number: number): Buffer => {
  const sender = number % senders
  const lines = [
    `Message-ID: <${number}@customer.example>`,
    `From: Customer ${sender} <c${sender}@customer.example>`,
    `To: ${mailboxEmail}`,
    `Subject: mail ${number}`,
    "",
    `No. ${number}. ${body}`
  ]
  return Buffer.from(lines.join("\r\n"))
}

const fill = (dovecot: Dovecot, count: number): ReadonlySet<string> => {
  const start = Date.now() - spanMillis
  for (let number = 0; number < count; number++)
    dovecot.deliver(mailboxEmail, "INBOX", letter(number), start + (number / count) * spanMillis)
  return new Set(Array.from({ length: count }, (_, number) => `mail ${number}`))
}

const countsOf = (commands: ReadonlyArray<RelayedCommand>): string => {
  const counts = new Map<string, number>()
  for (const { name } of commands) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ")
}

/** Waits for the commands from one LIST, which begins a look, to the next IDLE. Returns their seconds and counts. */
const nextLook = async ({ relay: { commands } }: ConnectedMailbox, from: number) => {
  const begun = performance.now()
  while (performance.now() - begun < maxWaitMillis) {
    const list = commands.findIndex(({ name }, index) => index >= from && name === "LIST")
    const idle = list < 0 ? -1 : commands.findIndex(({ name }, index) => index > list && name === "IDLE")
    const [first, last] = [commands[list], commands[idle]]
    if (first !== undefined && last !== undefined) {
      const seconds = Number(((last.at - first.at) / 1_000).toFixed(3))
      return {
        seconds,
        kilobytes: Math.round((last.received - first.received) / 1_000),
        commands: countsOf(commands.slice(list, idle))
      }
    }
    await sleep(20)
  }
  throw new Error("The server did not look into the mailbox")
}

const subjectsOf = ({ stored }: ConnectedMailbox): Promise<ReadonlyArray<string>> =>
  stored.values("SELECT subject FROM messages")

/** Moves and expunges mails in steps, and moves some back, until the folder is read. Returns the number of steps. */
const rearrange = async ({ dovecot }: ConnectedMailbox, count: number, isOver: () => boolean): Promise<number> => {
  const step = Math.max(1, Math.floor(count / 200))
  let steps = 0
  for (; steps < 60 && !isOver(); steps++) {
    const from = 1 + steps * 3 * step
    const uids = (start: number) => `${start}:${start + step - 1}`
    const inbox = ["mailbox", "INBOX"]
    await dovecot.doveadm(mailboxEmail, ["move", "Archive", ...inbox, "uid", uids(from)])
    await dovecot.doveadm(mailboxEmail, ["expunge", ...inbox, "uid", uids(from + step)])
    await dovecot.doveadm(mailboxEmail, ["flags add", "\\Seen", ...inbox, "uid", uids(from + 2 * step)])
  }
  return steps
}

/** Reads a folder whose mails are moved and expunged meanwhile. Expunged mail may be stored or not. */
const readMoving = async (count: number) =>
  await withMailbox(async (mailbox) => {
    const subjects = fill(mailbox.dovecot, count)
    await mailbox.dovecot.doveadm(mailboxEmail, ["mailbox status", "messages", "INBOX"])
    await mailbox.connect()
    let isRead = false
    const reading = mailbox.untilRead(pollMillis).finally(() => void (isRead = true))
    const steps = await rearrange(mailbox, count, () => isRead)
    await reading
    // Mail that was moved after its new folder was read is found by the next look into all folders.
    await nextLook(mailbox, mailbox.relay.commands.length)
    const left = await Promise.all(
      ["INBOX", "Archive"].map((path) =>
        mailbox.dovecot.doveadm(mailboxEmail, ["fetch", "hdr.subject", "mailbox", path, "all"])
      )
    )
    const kept = new Set(left.join("\n").match(/mail \d+/gu) ?? [])
    const stored = await subjectsOf(mailbox)
    const { duplicated, lost } = tallyOf(kept, stored)
    return { mails: count, steps, expunged: subjects.size - kept.size, stored: stored.length, lost, duplicated }
  })

/** The figures of a large mailbox. */
export interface LargeMailbox {
  readonly figures: Record<string, string | number>
  readonly tallies: ReadonlyArray<Pick<Tally, "duplicated" | "lost">>
}

/** Reads a mailbox of `count` mails, then one of a tenth of it whose mails are moved meanwhile. */
export const readLargeMailbox = async (count: number): Promise<LargeMailbox> => {
  const large = await withMailbox(async (mailbox) => {
    const { dovecot, relay, servers } = mailbox
    const subjects = fill(dovecot, count)
    progress(`${count} mails are in the folder`)
    // Dovecot builds its index at the first access.
    await dovecot.doveadm(mailboxEmail, ["mailbox status", "messages", "INBOX"])
    const [pid = 0] = servers.pids()
    const idleMiB = Math.round(residentMiB(pid))
    await mailbox.connect()
    const seconds = await mailbox.untilRead(pollMillis)
    const firstSync = countsOf(relay.commands)
    progress(`read in ${Math.round(seconds)} s`)
    const tally = tallyOf(subjects, await subjectsOf(mailbox))
    const peak = Math.round(peakMiB(pid))
    const unchanged = await nextLook(mailbox, relay.commands.length)
    progress("cut")
    const from = relay.commands.length
    relay.cut()
    const reconnected = await nextLook(mailbox, from)
    await dovecot.doveadm(mailboxEmail, ["flags add", "\\Seen", "mailbox", "INBOX", "uid", "1"])
    const second = relay.commands.length
    relay.cut()
    const compared = await nextLook(mailbox, second)
    return { tally, seconds, firstSync, idleMiB, peak, unchanged, reconnected, compared }
  })
  progress("moves and deletions during the first sync")
  const moving = await readMoving(Math.max(20, Math.floor(count / 10)))
  const { compared, firstSync, idleMiB, peak, reconnected, seconds, tally, unchanged } = large
  return {
    figures: {
      mails: count,
      seconds: Math.round(seconds),
      mailsPerSecond: Math.round(count / seconds),
      idleMiB,
      peakMiB: peak,
      lost: tally.lost,
      duplicated: tally.duplicated,
      commandsOfFirstSync: firstSync,
      lookWithoutChange: JSON.stringify(unchanged),
      lookAfterReconnect: JSON.stringify(reconnected),
      lookAfterReconnectWithChange: JSON.stringify(compared),
      movedMeanwhile: JSON.stringify(moving)
    },
    tallies: [tally, moving]
  }
}
