import {
  HumanCheck,
  HumanCheckUnavailable,
  HumanCheckFailed,
  type HumanProof
} from "@leadloom/core/port/provider/HumanCheck"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHash } from "node:crypto"
import { boundedBody } from "../http/BoundedBody.ts"
import { layerFetch } from "../http/Fetch.ts"
import { listOf } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"

/** How to reach Turnstile, or what verifies as it does (hCaptcha, reCAPTCHA). */
export interface TurnstileConfig {
  /** The whole URL of siteverify. */
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** Where Cloudflare verifies. */
export const defaultTurnstileUrl = "https://challenges.cloudflare.com/turnstile/v0/siteverify"

/** A visitor waits for the answer. */
const timeout = "5 seconds"
const maxAnswerBytes = 65_536

const Answer = Schema.Struct({ success: Schema.Boolean, "error-codes": listOf(Schema.String) })
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** Codes of which the visitor is not the cause. */
const ours = ["missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"]

const unavailable = (reason: string) => new HumanCheckUnavailable({ reason })

/** One name for a token. As a UUID it also lets Turnstile answer a repetition as it answered the first time. */
const nameOf = (token: string): string => {
  const hex = createHash("sha256").update(token).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

const read = (
  text: string,
  proofId: string,
  secret: string
): Effect.Effect<HumanProof, HumanCheckFailed | HumanCheckUnavailable> => {
  const answer = decode(text)
  if (answer._tag === "None") return Effect.fail(unavailable("siteverify gave an answer that is none"))
  if (answer.value.success) return Effect.succeed({ proofId })
  const codes = present(answer.value["error-codes"])
  if (codes.some((code) => ours.includes(code))) {
    const words = redactSecrets([secret], codes.join(", ")).slice(0, 200)
    return Effect.fail(unavailable(`siteverify refused the request: ${words}`))
  }
  return Effect.fail(new HumanCheckFailed({ reason: "The check was not passed, or is too old. Do it again." }))
}

/** Asks siteverify. Where it does not answer, nobody is believed. */
export const makeTurnstile = (
  http: HttpClient.HttpClient,
  { secret, url }: TurnstileConfig
): HumanCheck["Service"] => ({
  verify: Effect.fnUntraced(function* (token, address) {
    const proofId = nameOf(token)
    const requested = HttpClientRequest.bodyUrlParams(HttpClientRequest.post(url), {
      secret: Redacted.value(secret),
      response: token,
      idempotency_key: proofId,
      ...(address === null ? {} : { remoteip: address })
    })
    const text = http.execute(requested).pipe(
      Effect.flatMap((response) => boundedBody(response, maxAnswerBytes, unavailable("siteverify says too much"))),
      Effect.map((bytes) => new TextDecoder().decode(bytes)),
      Effect.catchTag("HttpClientError", () => Effect.fail(unavailable("siteverify cannot be reached"))),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(unavailable(`siteverify did not answer within ${timeout}`))
      })
    )
    return yield* read(yield* text, proofId, Redacted.value(secret))
  })
})

/** Turnstile over the network. */
export const layer = (config: TurnstileConfig): Layer.Layer<HumanCheck> =>
  Layer.effect(
    HumanCheck,
    Effect.map(HttpClient.HttpClient, (http) => HumanCheck.of(makeTurnstile(http, config)))
  ).pipe(Layer.provide(layerFetch))

/** What siteverify makes of a proof that nobody has given: `refused` is as it should be. */
export type TurnstileSeen =
  | { readonly _tag: "Refused" }
  /** Everybody passes: a secret for tests. */
  | { readonly _tag: "Passed" }
  /** It does not answer, or does not know the secret. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Asks siteverify about a proof that is none. Nothing is used up by it. */
export const probeTurnstile = (config: TurnstileConfig): Effect.Effect<TurnstileSeen> =>
  Effect.flatMap(HumanCheck, (check) => check.verify("leadloom-doctor", null)).pipe(
    Effect.match({
      onSuccess: (): TurnstileSeen => ({ _tag: "Passed" }),
      onFailure: (failure): TurnstileSeen =>
        failure._tag === "HumanCheckFailed" ? { _tag: "Refused" } : { _tag: "Failed", reason: failure.reason }
    }),
    Effect.provide(layer(config))
  )
