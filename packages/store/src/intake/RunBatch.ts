import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, type Context, Effect, Exit, Fiber } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { errorOf, notify, reasonOf, undo } from "../unit/Batch.ts"
import type { Connections } from "../unit/Connections.ts"
import { withDeadline } from "../unit/Deadline.ts"
import type { Queued } from "../unit/Dispatcher.ts"
import * as Failure from "../unit/Failure.ts"
import * as Unit from "../unit/Unit.ts"
import type { WriteConnection, WriteConnections } from "../unit/WriteConnections.ts"
import { left, makeRows, type Member, record, refusal, refusing, type Rows } from "./BatchRows.ts"
import { type Known, makeKnown } from "./Known.ts"
import { type KnownPort, knownPorts, type Repositories, writeKnown } from "./KnownPorts.ts"
import { type Asking, markSearched, type Question, questionOfOriginals, questionsOf } from "./Questions.ts"

/** A unit that accepts a message and waits for its batch. */
export interface Arriving extends Queued, Asking {
  /** `cancelled`: the caller no longer waits for the unit. */
  state: "waiting" | "started" | "cancelled"
  running: Fiber.Fiber<unknown, unknown> | null
  /** Starts the unit on the ports of the batch. Another call runs the unit again from its start. */
  readonly start: (unit: Unit.Unit, ports: Context.Context<KnownPort>) => Fiber.Fiber<unknown, unknown>
  /**
   * Passes the outcome to the caller. `done`: the outcome of the unit. `left`: the unit has to run alone. Otherwise,
   * the reason why nothing was stored.
   */
  readonly settle: (result: "done" | "left" | StoreUnavailable) => void
}

/** Returns whether a unit failed with an error of its own, which is its result and no reason to run it again. */
const isResult = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit) || exit.cause.reasons.every((reason) => Cause.isFailReason(reason))

/** The state of a batch while its units run. */
interface Deciding {
  readonly known: Known
  readonly ports: Context.Context<KnownPort>
  readonly rows: Rows
  readonly onCommit: Array<() => void>
  current: Member
}

/** Runs one unit. Returns whether its outcome counts; otherwise, it has to run alone. */
const decide = Effect.fnUntraced(function* (arriving: Arriving, deciding: Deciding) {
  const { known, onCommit, ports, rows } = deciding
  const member: Member = { left: false, characters: 0, recorded: [] }
  deciding.current = member
  const unit = Unit.begin([refusing(member), 1], {
    onCommit: [],
    pipeline: null,
    recordRows: (form, written) => record(member, form, written)
  })
  const running = arriving.start(unit, ports)
  arriving.running = running
  const exit =
    running.pollUnsafe() ??
    (yield* Effect.onInterrupt(Fiber.await(running), () => Effect.sync(() => running.interruptUnsafe())))
  arriving.running = null
  const counts = !member.left && unit.failure === null && isResult(exit)
  if (counts && Exit.isSuccess(exit)) {
    known.keep()
    for (const [form, written] of member.recorded) rows.add(arriving.tenantId, form, written)
    onCommit.push(...unit.onCommit)
  } else known.undo()
  return counts
})

/** Runs the units of a batch one after another. Returns those that have to run alone. */
const decideAll = Effect.fnUntraced(function* (batch: ReadonlyArray<Arriving>, deciding: Deciding) {
  const alone = new Set<Arriving>()
  for (const arriving of batch) {
    if (arriving.state === "cancelled") continue
    arriving.state = "started"
    if (!(yield* decide(arriving, deciding))) alone.add(arriving)
  }
  return alone
})

/** Sends a statement immediately. The database receives statements in the order of the calls. */
const send = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> => {
  const fiber = Effect.runFork(statement)
  return Effect.flatten(Fiber.await(fiber))
}

const ask = (
  connection: Connection,
  questions: ReadonlyArray<Question>,
  known: Known
): Effect.Effect<void, SqlError> => {
  const sent = questions.map(({ params, read, text }) => ({
    read,
    rows: send(connection.execute(text, params, undefined))
  }))
  return Effect.forEach(sent, ({ read, rows }) => Effect.map(rows, (found) => read(found, known)), { discard: true })
}

/** The progress of one transaction. */
interface Attempt {
  /** The units of locked tenants. The other units did not start. */
  ran: ReadonlyArray<Arriving>
  alone: ReadonlySet<Arriving>
  readonly rows: Rows
  readonly onCommit: Array<() => void>
  /** Whether COMMIT was sent. */
  committing: boolean
}

/** Records the rows of the known records. */
const flush = (deciding: Deciding, { currentUnit, sql }: Connections, repositories: Repositories) => {
  const member: Member = { left: false, characters: 0, recorded: [] }
  const unit = Unit.begin([refusing(member), 1], {
    onCommit: deciding.onCommit,
    pipeline: null,
    recordRows: (form, rows) => deciding.rows.add("", form, rows)
  })
  return writeKnown(deciding.known, repositories).pipe(
    Effect.provideService(currentUnit, unit),
    Effect.provideService(sql.transactionService, unit.transaction),
    Effect.mapError(() => refusal)
  )
}

/** Runs the transaction of a batch: two round trips, or three if it contains copies of stored messages. */
const transact = Effect.fnUntraced(function* (
  writeConnection: WriteConnection,
  batch: ReadonlyArray<Arriving>,
  connections: Connections,
  repositories: Repositories,
  attempt: Attempt
) {
  const { connection } = writeConnection
  const pipeline = Unit.makePipeline()
  const known = makeKnown()
  const begun = send(writeConnection.begin([...new Set(batch.map(({ tenantId }) => tenantId))], pipeline))
  const asked = ask(connection, questionsOf(batch), known)
  const locked = yield* Effect.mapError(begun, (error) => pipeline.failure ?? error)
  yield* Effect.mapError(asked, (error) => pipeline.failure ?? error)
  const members = batch.filter(({ tenantId }) => locked.has(tenantId))
  yield* ask(connection, questionOfOriginals(members, known), known)
  markSearched(members, known)
  known.keep()
  attempt.ran = members
  const leave = Effect.suspend(() => {
    deciding.current.left = true
    return Effect.fail(left)
  })
  const deciding: Deciding = {
    known,
    ports: knownPorts(known, repositories, leave),
    rows: attempt.rows,
    onCommit: attempt.onCommit,
    current: { left: false, characters: 0, recorded: [] }
  }
  attempt.alone = yield* decideAll(members, deciding)
  yield* flush(deciding, connections, repositories)
  const statements = attempt.rows.statements()
  attempt.committing = true
  for (const { params, text } of statements) pipeline.send(connection.execute(text, params, undefined))
  yield* Effect.mapError(writeConnection.commit, (error) => pipeline.failure ?? error)
})

/**
 * Finds out whether a batch was stored whose connection was lost after COMMIT was sent. The tenant lock is free only
 * after that transaction has ended, so the answer is final.
 */
const isStored = (intake: WriteConnections, rows: Rows): Effect.Effect<boolean, SqlError> =>
  Effect.scoped(
    Effect.flatMap(intake.acquire, (writeConnection) =>
      Effect.gen(function* () {
        const witness = rows.witness()
        if (witness === null) return yield* Effect.fail(refusal)
        yield* writeConnection.begin([witness.tenantId], null)
        const found = yield* writeConnection.connection.execute(witness.text, witness.params, undefined)
        yield* writeConnection.commit
        return found.length > 0
      }).pipe(Effect.onError(() => undo(writeConnection)))
    )
  )

const bounded = <A>({ deadlineMillis }: WriteConnections, effect: Effect.Effect<A, SqlError>) =>
  deadlineMillis === null ? Effect.exit(effect) : withDeadline(deadlineMillis, effect)

/** The reasons of a failed transaction for which its units would fail too, after the same wait. */
const waits: ReadonlySet<string> = new Set(["LockTimeoutError", "StatementTimeoutError"])

/** Returns the result of the units of a failed transaction. */
const resultOf = Effect.fnUntraced(function* (
  intake: WriteConnections,
  exit: Exit.Exit<void, SqlError>,
  { committing, rows }: Attempt
) {
  const unavailable = reasonOf(exit)
  if (Exit.isSuccess(exit) || unavailable === null) return "done" as const
  const error = errorOf(exit)
  if (Cause.hasInterruptsOnly(exit.cause) || (error !== null && waits.has(error.reason._tag))) return unavailable
  if (!committing || (error !== null && Failure.isRetryable(error))) return "left" as const
  const stored = yield* bounded(intake, isStored(intake, rows))
  if (!Exit.isSuccess(stored)) return unavailable
  return stored.value ? ("done" as const) : ("left" as const)
})

const isConflict = (exit: Exit.Exit<void, SqlError>): boolean => {
  const tag = errorOf(exit)?.reason._tag
  return tag === "DeadlockError" || tag === "SerializationError"
}

/** Creates the function that runs batches. It returns the units that ran, after it has settled them. */
export const makeRunBatch = (connections: Connections, intake: WriteConnections, repositories: Repositories) => {
  const once = Effect.fnUntraced(function* (batch: ReadonlyArray<Arriving>) {
    const attempt: Attempt = { ran: [], alone: new Set(), rows: makeRows(), onCommit: [], committing: false }
    const transaction = Effect.scoped(
      Effect.flatMap(intake.acquire, (writeConnection) =>
        transact(writeConnection, batch, connections, repositories, attempt).pipe(
          Effect.onError(() => undo(writeConnection))
        )
      )
    )
    return { attempt, exit: yield* bounded(intake, transaction) }
  })
  return Effect.fnUntraced(function* (batch: ReadonlyArray<Arriving>) {
    let last = yield* once(batch)
    if (isConflict(last.exit)) last = yield* once(batch)
    const { attempt, exit } = last
    const result = yield* resultOf(intake, exit, attempt)
    if (result === "done") yield* Effect.forEach(attempt.onCommit, notify, { discard: true })
    // If no transaction could begin, all units count as run. Otherwise they would be retried forever.
    const ran = result !== "done" && attempt.ran.length === 0 ? batch : attempt.ran
    for (const arriving of ran) arriving.settle(result === "done" && attempt.alone.has(arriving) ? "left" : result)
    return ran
  })
}
