import { IdTokenInvalid, IdTokensUnavailable } from "@leadloom/core/internal/port/provider/IdTokens"
import { Clock, Deferred, Effect, type Exit } from "effect"
import { type CryptoKey, errors, type JWSHeaderParameters, type LocalJWKSet } from "jose"
import type { IssuerUnavailable } from "./Discovery.ts"

/**
 * The age in milliseconds from which keys are refreshed in the background. After the refresh, a key that the issuer has
 * withdrawn is no longer valid.
 */
export const staleMillis = 10 * 60_000
/** The age in milliseconds from which the verification of a token waits for refreshed keys. */
export const waitMillis = 60 * 60_000
/**
 * The minimum interval in milliseconds between two requests to the issuer that unknown keys cause. The same interval
 * applies after a failed request.
 */
export const cooldownMillis = 10_000

/** Finds the key that a token header names. */
export type FindKey = (header: JWSHeaderParameters) => Effect.Effect<CryptoKey, IdTokenInvalid | IdTokensUnavailable>

/** Fetched keys and the time of the fetch. */
interface CachedKeys {
  readonly find: LocalJWKSet
  readonly fetchedAt: number
}

/** A running request to the issuer, shared by all waiting tokens. */
type PendingFetch = Deferred.Deferred<CachedKeys, IssuerUnavailable>

const unavailable = ({ reason }: IssuerUnavailable) => Effect.fail(new IdTokensUnavailable({ reason }))

/** Returns the cached key for a header; null when no key matches the header's `kid` and algorithm. */
const findIn = ({ find }: CachedKeys, header: JWSHeaderParameters) =>
  Effect.tryPromise({
    try: () =>
      find(header).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return null
        throw error
      }),
    catch: () => new IdTokenInvalid({ reason: "its key is unusable or ambiguous" })
  })

/** Fetches keys and stores them, with one request at a time. If a request fails, the cached keys remain. */
const makeQuestions = (fetch: Effect.Effect<LocalJWKSet, IssuerUnavailable>) => {
  let held: CachedKeys | null = null
  let failure: { readonly error: IssuerUnavailable; readonly at: number } | null = null
  let flight: PendingFetch | null = null

  const fetched = Effect.flatMap(fetch, (find) =>
    Effect.map(Clock.currentTimeMillis, (fetchedAt) => ({ find, fetchedAt }))
  )
  const land = (landed: PendingFetch, exit: Exit.Exit<CachedKeys, IssuerUnavailable>) =>
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
  /** The request continues when its first caller is interrupted, because other callers may be waiting. */
  const sendRequest: Effect.Effect<PendingFetch> = Effect.suspend(() => {
    if (flight !== null) return Effect.succeed(flight)
    const begun: PendingFetch = Deferred.makeUnsafe()
    flight = begun
    return Effect.as(Effect.forkDetach(Effect.flatMap(Effect.exit(remember), (exit) => land(begun, exit))), begun)
  })
  return {
    held: () => held,
    isFetching: () => flight !== null,
    /** Returns the last failure, if the minimum interval since it has not passed; null otherwise. */
    tooEarly: (now: number) => (failure !== null && now - failure.at < cooldownMillis ? failure.error : null),
    begin: Effect.asVoid(sendRequest),
    requested: Effect.flatMap(sendRequest, Deferred.await)
  }
}

/**
 * Caches the keys of an issuer. The first token causes the first request, so an unavailable issuer does not prevent the
 * start of the server. Cached keys stay valid while the issuer is unavailable; only tokens signed with other keys are
 * rejected.
 */
export const makeSigningKeys = (fetch: Effect.Effect<LocalJWKSet, IssuerUnavailable>): FindKey => {
  const questions = makeQuestions(fetch)
  /** The time at which a token with an unknown key last caused a request. */
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
    return yield* findIn(yield* Effect.catchTag(questions.requested, "IssuerUnavailable", unavailable), header)
  })

  return Effect.fnUntraced(function* (header) {
    const held = yield* Effect.catchTag(current, "IssuerUnavailable", unavailable)
    const key = (yield* findIn(held, header)) ?? (yield* withNew(header))
    return key ?? (yield* new IdTokenInvalid({ reason: "it is signed with an unknown key" }))
  })
}
