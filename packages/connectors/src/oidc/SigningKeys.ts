import { IdTokenInvalid, IdTokensUnavailable } from "@leadloom/core/port/provider/IdTokens"
import { Clock, Deferred, Effect, type Exit } from "effect"
import { type CryptoKey, errors, type JWSHeaderParameters, type LocalJWKSet } from "jose"
import type { KeysUnavailable } from "./FetchKeys.ts"

/** From this age on keys are asked for again by the way: one that the issuer has withdrawn stops working. */
export const staleMillis = 10 * 60_000
/** From this age on a token waits for that. */
export const waitMillis = 60 * 60_000
/** Tokens that name a key nobody knows make the issuer be asked once in this time, and so does an issuer that is down. */
export const cooldownMillis = 10_000

/** Finds the key that a token's header names. */
export type FindKey = (header: JWSHeaderParameters) => Effect.Effect<CryptoKey, IdTokenInvalid | IdTokensUnavailable>

/** Keys as they were at a time. */
interface CachedKeys {
  readonly find: LocalJWKSet
  readonly fetchedAt: number
}

/** One question to the issuer, however many wait for the answer. */
type PendingFetch = Deferred.Deferred<CachedKeys, KeysUnavailable>

const unavailable = ({ reason }: KeysUnavailable) => Effect.fail(new IdTokensUnavailable({ reason }))

/** The key of a header among those held; null: none is of its name and kind. */
const findIn = ({ find }: CachedKeys, header: JWSHeaderParameters) =>
  Effect.tryPromise({
    try: () =>
      find(header).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return null
        throw error
      }),
    catch: () => new IdTokenInvalid({ reason: "its key cannot be used, or is one of several" })
  })

/** Asks for keys, once at a time, and remembers what came of it. Failing takes nothing away from what is held. */
const makeQuestions = (fetch: Effect.Effect<LocalJWKSet, KeysUnavailable>) => {
  let held: CachedKeys | null = null
  let failure: { readonly error: KeysUnavailable; readonly at: number } | null = null
  let flight: PendingFetch | null = null

  const fetched = Effect.flatMap(fetch, (find) =>
    Effect.map(Clock.currentTimeMillis, (fetchedAt) => ({ find, fetchedAt }))
  )
  const land = (landed: PendingFetch, exit: Exit.Exit<CachedKeys, KeysUnavailable>) =>
    Effect.asVoid(Deferred.done(landed, exit)).pipe(Effect.tap(() => Effect.sync(() => void (flight = null))))
  const remember = Effect.tap(fetched, (fresh) =>
    Effect.sync(() => {
      held = fresh
      failure = null
    })
  ).pipe(
    Effect.tapError((error) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        failure = { error, at }
      })
    )
  )
  /** Goes on when who asked first goes away: others may wait for it too. */
  const sendRequest: Effect.Effect<PendingFetch> = Effect.suspend(() => {
    if (flight !== null) return Effect.succeed(flight)
    const begun: PendingFetch = Deferred.makeUnsafe()
    flight = begun
    return Effect.as(Effect.forkDetach(Effect.flatMap(Effect.exit(remember), (exit) => land(begun, exit))), begun)
  })
  return {
    held: () => held,
    isFetching: () => flight !== null,
    /** The failure of the last question, while it is too early for another one. */
    tooEarly: (now: number) => (failure !== null && now - failure.at < cooldownMillis ? failure.error : null),
    begin: Effect.asVoid(sendRequest),
    requested: Effect.flatMap(sendRequest, Deferred.await)
  }
}

/**
 * Keys of an issuer, asked for when the first token comes, so that an issuer that is down keeps no server from starting.
 * What is held stays good while the issuer does not answer: only a token whose key is not among it cannot be told then.
 */
export const makeSigningKeys = (fetch: Effect.Effect<LocalJWKSet, KeysUnavailable>): FindKey => {
  const questions = makeQuestions(fetch)
  /** When a token last made the issuer be asked for a key that was not held. */
  let unknownKeyAt = Number.NEGATIVE_INFINITY

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const held = questions.held()
    const tooEarly = questions.tooEarly(now)
    if (held === null) return yield* tooEarly === null ? questions.requested : Effect.fail(tooEarly)
    const age = now - held.fetchedAt
    if (age < staleMillis || tooEarly !== null) return held
    if (age >= waitMillis) return yield* Effect.orElseSucceed(questions.requested, () => held)
    yield* questions.begin
    return held
  })

  const withNew = Effect.fnUntraced(function* (header: JWSHeaderParameters) {
    const now = yield* Clock.currentTimeMillis
    const isEarly = now - unknownKeyAt < cooldownMillis && !questions.isFetching()
    const tooEarly = questions.tooEarly(now)
    if (isEarly) return tooEarly === null ? null : yield* unavailable(tooEarly)
    unknownKeyAt = now
    return yield* findIn(yield* Effect.catchTag(questions.requested, "KeysUnavailable", unavailable), header)
  })

  return Effect.fnUntraced(function* (header) {
    const held = yield* Effect.catchTag(current, "KeysUnavailable", unavailable)
    const key = (yield* findIn(held, header)) ?? (yield* withNew(header))
    return key ?? (yield* new IdTokenInvalid({ reason: "signed with a key that the issuer does not have" }))
  })
}
