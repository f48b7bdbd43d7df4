/**
 * The mail relay is away for an hour of a simulated clock, which advances by a minute at a time. All mails that were
 * accepted before and during the outage must arrive once.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startSink } from "@leadloom/testkit/mail/SmtpSink"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { type Clock, makeClock } from "./ShiftableClock.ts"
import { openTenants } from "./Load.ts"
import { makeRelay } from "./Relay.ts"
import { type Servers, startServers } from "./Servers.ts"
import { countOf, openSqlite, type Stored } from "./Stored.ts"
import { chaosResult, tallyOf } from "./Tally.ts"

const minute = 60_000
/** The product retries a refused mail for 24 hours. */
const maxMinutes = 24 * 60
/** The real time in which the server starts what is due after each step of the clock. */
const stepMillis = 250
const pollMillis = 20

const openAccounts = async (servers: Servers, tenants: ReadonlyArray<string>): Promise<void> => {
  await openTenants(servers, tenants)
  for (const tenant of tenants) {
    const account = { provider: "smtp", email: `hello@${tenant}.example` }
    await servers.insist({ method: "POST", path: `/tenants/${tenant}/email/connect`, body: account, as: adminKey })
  }
}

/** Sends mails of each tenant. Returns the subjects of the accepted ones. */
const sendMails = async (servers: Servers, tenants: ReadonlyArray<string>, part: string, count: number) => {
  const accepted: Array<string> = []
  for (const tenant of tenants) {
    for (let number = 0; number < count; number++) {
      const subject = `send ${tenant} ${part} ${number}`
      const body = { to: [{ email: `c${number}@customer.example` }], subject, body: "Hello" }
      const call = { method: "POST", path: `/tenants/${tenant}/email/send`, body, as: adminKey }
      const { status } = await servers.insist({ ...call, key: `${part}-${number}` })
      if (status === 201) accepted.push(subject)
    }
  }
  return accepted
}

/**
 * Waits until no send is due and none is being transmitted. A step of the clock is longer than the lease of a
 * transmission, so a transmission during the step would get the outcome `unknown`, and the server never repeats it.
 */
const untilIdle = async (stored: Stored, clock: Clock): Promise<void> => {
  const busy = () =>
    countOf(
      stored,
      `SELECT count(*) FROM sends WHERE state = 'handed_over' OR (state = 'reserved' AND due_at <= ${clock.now()})`
    )
  while ((await busy()) > 0) await sleep(pollMillis)
}

/** Returns a function that advances the clock by minutes. */
const makeAdvance = (clock: Clock, servers: Servers, stored: Stored) => async (from: number, minutes: number) => {
  for (let passed = 1; passed <= minutes; passed++) {
    await untilIdle(stored, clock)
    clock.set((from + passed) * minute, servers.pids())
    await sleep(stepMillis)
  }
}

const run = async (minutesAway: number, mails: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const sink = await startSink()
  const relay = await makeRelay(sink.port)
  const clock = makeClock(join(folder.path, "clock"))
  const servers = await startServers(1, () => ({
    ...clock.environment,
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const stored = openSqlite(join(folder.path, "leadloom.db"))
  const advance = makeAdvance(clock, servers, stored)
  const tenants = ["send1", "send2", "send3"]
  const subjects = () =>
    sink.mails.filter(({ accepted }) => accepted).map(({ raw }) => /^Subject: (.*?)\r?$/imu.exec(raw)?.[1] ?? "")
  try {
    await relay.up()
    await openAccounts(servers, tenants)
    const accepted = new Set(await sendMails(servers, tenants, "before", mails))
    await relay.down()
    for (const subject of await sendMails(servers, tenants, "during", mails)) accepted.add(subject)
    await advance(0, minutesAway)
    const arrivedBefore = subjects().length
    await relay.up()
    let minutes = minutesAway
    const isMissing = (): boolean => tallyOf(accepted, subjects()).lost > 0
    while (isMissing() && minutes < maxMinutes) {
      // Retries are minutes apart, so larger steps find them sooner.
      await advance(minutes, 5)
      minutes += 5
    }
    await untilIdle(stored, clock)
    const states = await stored.values("SELECT state || ' ' || count(*) FROM sends GROUP BY state ORDER BY state")
    const figures = { minutesAway, arrivedBefore, completeAfterMinutes: minutes - minutesAway, sends: states }
    return chaosResult(tallyOf(accepted, subjects()), figures)
  } finally {
    await stored.close()
    await servers.stop()
    await relay.down()
    await sink.close()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "outage",
  purpose: "The mail relay is away for an hour of a simulated clock, and then delivers every mail once.",
  usage: "[minutes of the outage] [mails of each of three tenants, before and during it]",
  sizes: { smallest: [5, 1], small: [60, 5], full: [60, 30] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
