import { ModelFailed, ModelMissing } from "@leadloom/core/internal/domain/classification/Model"
import { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import { Payments } from "@leadloom/core/internal/port/provider/Payments"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import { VoiceProvider } from "@leadloom/core/internal/port/provider/VoiceProvider"
import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { type ObservedService, observedServices, type ProviderRequests, ProviderStates } from "./ProviderStates.ts"

/** The ports whose requests are observed. */
export type Observed =
  | Classifier
  | Crm
  | EmailTransport
  | HostedMail
  | Payments
  | ReplyWriter
  | SmsProvider
  | VoiceProvider

/** The methods that send no request. */
const local: ReadonlySet<PropertyKey> = new Set(["allowance", "authorizeUrl", "signInUrl"])

/** A failure that shows an outage. Null: the provider answered. `ignored`: no request was sent. */
type Outage = { readonly detail: string; readonly retryAfterMillis: number | null }

const outageOf = (error: unknown): Outage | "ignored" | null => {
  if (error instanceof ModelMissing) return "ignored"
  if (error instanceof ModelFailed)
    return error.later ? { detail: error.reason, retryAfterMillis: error.retryAfterMillis } : null
  if (!(error instanceof ProviderFailure)) return null
  const { reason } = error
  if (reason._tag === "NotConfigured") return "ignored"
  if (reason._tag === "Unavailable") return reason
  // The other failures are answers: the provider rejects one request or one account.
  return reason._tag === "OutcomeUnknown" ? { detail: reason.detail, retryAfterMillis: null } : null
}

type Record = (service: ObservedService, exit: Exit.Exit<unknown, unknown>, now: number) => void

/** Records the result of every request of a port. */
const observe = <Port extends object>(record: Record, service: ObservedService, port: Port): Port =>
  new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || local.has(name)) return member
      return (...input: ReadonlyArray<unknown>) => {
        const result: unknown = Reflect.apply(member, target, input)
        return Effect.isEffect(result)
          ? Effect.onExit(result, (exit) => Effect.map(Clock.currentTimeMillis, (now) => record(service, exit, now)))
          : result
      }
    }
  })

const makeRecorder = (configured: (service: ObservedService) => boolean) => {
  const states = new Map<ObservedService, ProviderRequests>(
    observedServices.map((service) => [
      service,
      {
        service,
        configured: configured(service),
        consecutiveFailures: 0,
        lastAnswerAt: null,
        lastFailure: null
      }
    ])
  )
  const record: Record = (service, exit, now) => {
    const state = states.get(service)
    if (state === undefined || (Exit.isFailure(exit) && Option.isNone(Exit.findErrorOption(exit)))) return
    const outage = outageOf(Option.getOrNull(Exit.findErrorOption(exit)))
    if (outage === "ignored") return
    if (outage === null) {
      states.set(service, { ...state, consecutiveFailures: 0, lastAnswerAt: now })
      return
    }
    const { detail, retryAfterMillis } = outage
    const pausedUntil = retryAfterMillis === null ? null : now + retryAfterMillis
    states.set(service, {
      ...state,
      consecutiveFailures: state.consecutiveFailures + 1,
      lastFailure: { at: now, detail, pausedUntil }
    })
  }
  return { record, read: Effect.sync(() => [...states.values()]) }
}

/**
 * Returns the services of `layer`, in which the requests of the provider ports are observed, and the states of the
 * providers. `configured` returns whether a service has a provider.
 */
export const observeProviders = <A, E, R>(
  configured: (service: ObservedService) => boolean,
  layer: Layer.Layer<A | Observed, E, R>
) =>
  Layer.flatMap(layer, (services) => {
    const { read, record } = makeRecorder(configured)
    const watched = <I extends Observed, S extends object>(service: ObservedService, key: Context.Key<I, S>): S =>
      observe(record, service, Context.get(services, key))
    return Layer.succeedContext(
      services.pipe(
        Context.add(Classifier, watched("model", Classifier)),
        Context.add(ReplyWriter, watched("model", ReplyWriter)),
        Context.add(Crm, watched("crm", Crm)),
        Context.add(EmailTransport, watched("mail", EmailTransport)),
        Context.add(HostedMail, watched("mail", HostedMail)),
        Context.add(Payments, watched("payments", Payments)),
        Context.add(SmsProvider, watched("sms", SmsProvider)),
        Context.add(VoiceProvider, watched("voice", VoiceProvider)),
        Context.add(ProviderStates, ProviderStates.of({ read }))
      )
    )
  })
