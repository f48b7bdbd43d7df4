import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Api } from "@leadloom/api/Api"
import * as LanguageModel from "@leadloom/connectors/llm/LanguageModel"
import * as HighLevelCrm from "@leadloom/connectors/highlevel/HighLevelCrm"
import * as NodeEgress from "@leadloom/connectors/egress/NodeEgress"
import * as NodeHmac from "@leadloom/connectors/hmac/NodeHmac"
import * as HtmlRendering from "@leadloom/connectors/mime/HtmlRendering"
import * as PooledParser from "@leadloom/connectors/parse/PooledParser"
import * as SandboxVoice from "@leadloom/connectors/sandbox/SandboxVoice"
import * as SandboxTransport from "@leadloom/connectors/sandbox/SandboxTransport"
import * as NylasMail from "@leadloom/connectors/nylas/NylasMail"
import * as NylasTransport from "@leadloom/connectors/nylas/NylasTransport"
import * as TwilioVoice from "@leadloom/connectors/twilio/TwilioVoice"
import * as ByFamily from "@leadloom/connectors/ByFamily"
import * as OidcTokens from "@leadloom/connectors/oidc/OidcTokens"
import * as SandboxSms from "@leadloom/connectors/sandbox/SandboxSms"
import { smsLayer } from "@leadloom/connectors/sms/SmsLayer"
import * as SmtpTransport from "@leadloom/connectors/smtp/SmtpTransport"
import * as Turnstile from "@leadloom/connectors/turnstile/Turnstile"
import * as StripePayments from "@leadloom/connectors/stripe/StripePayments"
import * as SsoProof from "@leadloom/connectors/highlevel/SsoProof"
import * as NodeVault from "@leadloom/connectors/vault/NodeVault"
import * as Liquid from "@leadloom/connectors/templates/Liquid"
import { Secrets } from "@leadloom/core/domain/access/Secrets"
import { sessionKey } from "@leadloom/core/domain/access/SessionToken"
import { CompiledConfigs } from "@leadloom/core/domain/tenant/CompiledConfigs"
import { CpuShares, makeCpuShares } from "@leadloom/core/workflow/budget/CpuShares"
import { runJob } from "@leadloom/core/workflow/job/RunJob"
import { Classifier } from "@leadloom/core/port/provider/Classifier"
import { Crm } from "@leadloom/core/port/provider/Crm"
import { CrmProofs } from "@leadloom/core/port/provider/CrmProofs"
import type { EmailTransport } from "@leadloom/core/port/provider/EmailTransport"
import { HumanCheck } from "@leadloom/core/port/provider/HumanCheck"
import { HostedMail } from "@leadloom/core/port/provider/HostedMail"
import { Ids, Randomness } from "@leadloom/core/port/system/Ids"
import type { MailParser } from "@leadloom/core/port/provider/MailParser"
import { IdTokens } from "@leadloom/core/port/provider/IdTokens"
import { Payments } from "@leadloom/core/port/provider/Payments"
import { ReplyWriter } from "@leadloom/core/port/provider/ReplyWriter"
import type { SmsProvider } from "@leadloom/core/port/provider/SmsProvider"
import type { Vault } from "@leadloom/core/port/system/Vault"
import type { VoiceProvider } from "@leadloom/core/port/provider/VoiceProvider"
import { DeliveryPolicy } from "@leadloom/core/domain/webhook/Schedule"
import * as Store from "@leadloom/store/Store"
import { type Context, Duration, Effect, Latch, Layer, Scheduler } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import type { ServerConfig } from "./config/Config.ts"
import { ensureDataDir, secretOfDataDir } from "./startup/DataDir.ts"
import { TrustedProxies, trustedProxies } from "./http/middleware/ClientAddress.ts"
import { EventStreams } from "./http/stream/EventStreams.ts"
import { Limits } from "./http/middleware/Limits.ts"
import { McpEnabled } from "./http/mcp/Mcp.ts"
import { operationFinder, routerConfig } from "./http/middleware/Methods.ts"
import { outsideRoutes } from "./http/OutsideRoutes.ts"
import { ProviderSecrets } from "./http/middleware/ProviderSecrets.ts"
import { smsStatusPath } from "./http/webhook/SmsWebhooks.ts"
import { smsAccounts, twilioTokens } from "./config/SmsVariables.ts"
import * as Routes from "./http/Routes.ts"
import { makeListener } from "./http/Listener.ts"
import { listenFailure, StartupFailed } from "./startup/StartupFailed.ts"
import * as MailIntake from "./MailIntake.ts"
import { type Meter, makeMeter } from "./metrics/Meter.ts"
import { countJobs } from "./metrics/MeteredJobs.ts"
import * as MeteredPorts from "./metrics/MeteredPorts.ts"
import { countRequests } from "./metrics/MeteredRequests.ts"
import * as MetricsListener from "./metrics/MetricsListener.ts"
import * as ReadBacklogs from "./metrics/ReadBacklogs.ts"
import * as ObjectStore from "./startup/ObjectStore.ts"
import * as SecretKeyCheck from "./startup/SecretKeyCheck.ts"
import { pepperOf } from "./startup/Pepper.ts"
import { randomPool } from "./startup/RandomPool.ts"
import * as SealingKeys from "./startup/SealingKeys.ts"
import { watchLoop } from "./watchdog/LoopWatchdog.ts"
import { TickScheduler } from "./watchdog/RunningOperation.ts"
import * as Workers from "./worker/Workers.ts"

/** The time for open requests to finish after the server receives the signal to stop. */
const gracePeriod = Duration.seconds(20)

const secrets = (config: ServerConfig): Layer.Layer<Secrets | Vault, StartupFailed> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const secretKey = config.secretKey ?? (yield* secretOfDataDir(config.dataDir))
      const kept = Secrets.of({
        adminKeys: config.adminKeys,
        sessionKeys: config.sessionSecrets.map((secret) => sessionKey(Buffer.from(secret, "utf8"))),
        pepper: pepperOf(secretKey)
      })
      return Layer.merge(Layer.succeed(Secrets, kept), NodeVault.layer(secretKey, config.vaultKeys))
    })
  )

/** A layer that fails to build with `StartupFailed`, because of a problem that the operator can correct. */
const refuse = <A>(line: string): Layer.Layer<A, StartupFailed> => {
  const refusal: Effect.Effect<Context.Context<A>, StartupFailed> = Effect.fail(new StartupFailed({ line }))
  return Layer.effectContext(refusal)
}

/**
 * The reason in responses while the database is unreachable. It does not name the database, because anyone can read it;
 * the log does.
 */
const waitingForDatabase = "The database does not answer. The server waits for it. See the server's log for details."

/** The reason why the server is not ready; null when it is ready. */
interface Waiting {
  reason: string | null
}

const report =
  (waiting: Waiting) =>
  (reason: string | null): void =>
    void (waiting.reason = reason === null ? null : waitingForDatabase)

const store = ({ databaseUrl }: ServerConfig, waiting: Waiting): Layer.Layer<Store.Store, StartupFailed> =>
  Layer.catch(Store.layer({ url: databaseUrl, onUnreachable: report(waiting) }), (error) => {
    const reason = error._tag === "StoreUnavailable" ? error.reason : error.message
    return refuse<Store.Store>(
      `The database cannot be used (LEADLOOM_DATABASE_URL, LEADLOOM_DATA_DIR): ${reason.replace(/\s+/gu, " ")}`
    )
  })

/** Selects the mail transport by the provider family of an account. */
const transport = ({ nylas, smtpRelay }: ServerConfig): Layer.Layer<EmailTransport> => {
  const relayed = smtpRelay === null ? SandboxTransport.layer : SmtpTransport.layer(smtpRelay)
  return ByFamily.layer(relayed, nylas === null ? null : NylasTransport.layer(nylas))
}

const hosted = ({ nylas }: ServerConfig): Layer.Layer<HostedMail, never, MailParser> =>
  nylas === null ? HostedMail.closed("LEADLOOM_NYLAS_API_KEY") : NylasMail.layer(nylas)

/** Verifies ID tokens, if an identity provider is configured. */
const idTokens = ({ oidc }: ServerConfig): Layer.Layer<IdTokens> =>
  oidc === null ? IdTokens.layerNone : OidcTokens.layer(oidc)

const humanCheck = ({ turnstile }: ServerConfig): Layer.Layer<HumanCheck> =>
  turnstile === null ? HumanCheck.closed("LEADLOOM_TURNSTILE_SECRET") : Turnstile.layer(turnstile)

const payments = ({ stripe }: ServerConfig): Layer.Layer<Payments> =>
  stripe === null ? Payments.closed("LEADLOOM_STRIPE_SECRET_KEY") : StripePayments.layer(stripe)

/** The CRM adapter. If no app is configured, it rejects every request. */
const crm = ({ crm: access }: ServerConfig): Layer.Layer<Crm> =>
  access === null ? Crm.closed("LEADLOOM_CRM_CLIENT_ID") : HighLevelCrm.layer(access)
const proofs = ({ crmCallers: { ssoSecret } }: ServerConfig): Layer.Layer<CrmProofs> =>
  ssoSecret === null ? CrmProofs.closed("LEADLOOM_CRM_SSO_SECRET") : SsoProof.layer(ssoSecret)

/** The provider of calls. Without a configured provider, the sandbox stores calls without placing them. */
const voice = ({ publicUrl, twilio }: ServerConfig): Layer.Layer<VoiceProvider> =>
  twilio === null || publicUrl === null ? SandboxVoice.layer : TwilioVoice.layer(twilio, publicUrl)

/** The language model that classifies messages and writes replies, if one is configured. */
const languageModel = ({ llm }: ServerConfig): Layer.Layer<Classifier | ReplyWriter, never, Randomness> =>
  llm === null ? Layer.merge(Classifier.layerNone, ReplyWriter.layerNone) : LanguageModel.layer(llm)

/** The provider of SMS. Without a configured provider, the sandbox stores messages without sending them. */
const texts = (config: ServerConfig): Layer.Layer<SmsProvider> => {
  const [chosen] = smsAccounts(config)
  if (chosen === undefined || config.publicUrl === null) return SandboxSms.layer
  const [name, account] = chosen
  return smsLayer(account, `${config.publicUrl}${smsStatusPath(name)}`)
}

/** The secrets that verify Twilio's webhooks for calls; null without an account or a public URL. */
const twilioSecrets = ({ publicUrl, twilio }: ServerConfig) =>
  twilio === null || publicUrl === null ? null : { publicUrl, authTokens: twilioTokens(twilio) }

/** The services of all routes, on the configured database. */
export const services = (
  config: ServerConfig,
  waiting: Waiting = { reason: null },
  closing: Latch.Latch = Latch.makeUnsafe(false)
): Layer.Layer<Routes.Services, StartupFailed> => {
  const random = randomPool()
  const agreed = Layer.provideMerge(SealingKeys.layer(config), SecretKeyCheck.layer(config))
  const stored = Layer.provideMerge(agreed, Layer.mergeAll(secrets(config), store(config, waiting)))
  return Layer.mergeAll(
    stored,
    Layer.succeed(Limits, Limits.of(config.limits)),
    Layer.succeed(TrustedProxies, { isTrusted: trustedProxies(config.trustedProxies) }),
    Ids.layer(random),
    Layer.provideMerge(languageModel(config), Randomness.layer(random)),
    HtmlRendering.layer,
    transport(config),
    Layer.provideMerge(hosted(config), PooledParser.layer),
    idTokens(config),
    humanCheck(config),
    payments(config),
    crm(config),
    proofs(config),
    Layer.succeed(ProviderSecrets, {
      nylasWebhook: config.nylas?.webhookSecret ?? null,
      stripeWebhook: config.stripe?.webhookSecrets ?? [],
      crmWebhookKeys: config.crm?.webhookKeys ?? [],
      crmActions: config.crmCallers.actionSecrets,
      twilio: twilioSecrets(config),
      publicUrl: config.publicUrl,
      sms: new Map(smsAccounts(config))
    }),
    texts(config),
    voice(config),
    ObjectStore.layer(config),
    NodeEgress.layer({ policy: config.egress }),
    NodeHmac.layer,
    Layer.succeed(McpEnabled, config.mcp),
    Layer.succeed(DeliveryPolicy, { mode: config.webhookDelivery }),
    EventStreams.layer(closing),
    Liquid.layer,
    CompiledConfigs.layer,
    Layer.sync(CpuShares, makeCpuShares)
  ).pipe(Layer.provide(Layer.effectDiscard(Effect.andThen(ensureDataDir(config.dataDir), ObjectStore.open(config)))))
}

const listener = ({ host, port }: ServerConfig, waiting: Waiting, meter: Meter | null) =>
  Layer.catch(
    NodeHttpServer.layerServer(
      () => makeListener(() => waiting.reason, undefined, meter === null ? null : countRequests(meter)),
      { host, port, gracefulShutdownTimeout: gracePeriod }
    ),
    ({ cause }) =>
      refuse<HttpServer.HttpServer>(
        listenFailure({ host, port, variables: { host: "LEADLOOM_HOST", port: "LEADLOOM_PORT" } }, cause)
      )
  )

/** Adds the metrics listener and its counters to the services. If `meter` is null, nothing is counted. */
const metered = (config: ServerConfig, meter: Meter | null, all: Layer.Layer<Routes.Services, StartupFailed>) => {
  if (meter === null || config.metrics === null) return all
  const reader: ReadBacklogs.BacklogReader = { read: null }
  const counting = Layer.provideMerge(ReadBacklogs.layer(meter, reader), MeteredPorts.countCalls(meter, all))
  return Layer.provide(counting, MetricsListener.layer(config, config.metrics, meter, reader))
}

/** Reports blocks of the main thread, if the scheduler of the process measures them. */
const watchdog = (meter: Meter | null) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const scheduler = yield* Scheduler.Scheduler
      if (!(scheduler instanceof TickScheduler)) return
      yield* watchLoop(
        { scheduler, find: operationFinder(Api, outsideRoutes), now: () => performance.now() },
        ({ millis, operation }) => meter?.blocks({ operation }, millis / 1_000)
      )
    })
  )

/**
 * The whole server: listener, routes, workers and store. The listener starts first, so that a second server on the same
 * port fails before it touches the data. Until the other layers are built, the listener answers 503 with the reason.
 */
export const layer = (config: ServerConfig): Layer.Layer<HttpServer.HttpServer, StartupFailed> => {
  const waiting: Waiting = { reason: null }
  const closing = Latch.makeUnsafe(false)
  const meter = config.metrics === null ? null : makeMeter()
  const parts = Layer.mergeAll(
    watchdog(meter),
    Routes.layer,
    Workers.layer(meter === null ? runJob : countJobs(meter, runJob), config.eventRetentionDays),
    MailIntake.layer(config)
  )
  const app = Layer.provide(parts, metered(config, meter, services(config, waiting, closing)))
  const served = HttpRouter.serve(app, { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provideMerge(listener(config, waiting, meter)),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )
  // This layer is built last and therefore closed first: event streams end before the server waits for open requests.
  const closer = Layer.effectDiscard(
    Effect.andThen(
      HttpServer.HttpServer,
      Effect.addFinalizer(() => closing.open)
    )
  )
  return Layer.provideMerge(closer, served)
}
