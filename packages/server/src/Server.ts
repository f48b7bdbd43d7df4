import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Api } from "@leadloom/api/internal/Api"
import * as NodeEgress from "@leadloom/connectors/internal/egress/NodeEgress"
import * as NodeHmac from "@leadloom/connectors/internal/hmac/NodeHmac"
import * as HtmlRendering from "@leadloom/connectors/internal/mime/HtmlRendering"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import * as NodeVault from "@leadloom/connectors/internal/vault/NodeVault"
import * as NodeMailComposer from "@leadloom/connectors/internal/smtp/NodeMailComposer"
import * as Liquid from "@leadloom/connectors/internal/templates/Liquid"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { sessionKey } from "@leadloom/core/internal/domain/access/SessionToken"
import { CompiledConfigs } from "@leadloom/core/internal/domain/tenant/CompiledConfigs"
import { CpuShares, makeCpuShares } from "@leadloom/core/internal/workflow/budget/CpuShares"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { Ids, Randomness } from "@leadloom/core/internal/port/system/Ids"
import type { Vault } from "@leadloom/core/internal/port/system/Vault"
import { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import * as Store from "@leadloom/store/internal/Store"
import { type Context, Duration, Effect, Latch, Layer, Redacted, Scheduler } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as Adapters from "./Adapters.ts"
import type { ServerConfig } from "./config/Config.ts"
import { observeProviders } from "./deployment/ObserveProviders.ts"
import * as DoctorProcess from "./doctor/DoctorProcess.ts"
import { ensureDataDir, secretOfDataDir } from "./startup/DataDir.ts"
import { TrustedProxies, trustedProxies } from "./http/middleware/ClientAddress.ts"
import { EventStreams } from "./http/stream/EventStreams.ts"
import { Limits } from "./http/middleware/Limits.ts"
import { ConsoleEnabled } from "./http/console/Console.ts"
import { SignInClient } from "./http/console/SignInPage.ts"
import { McpEnabled } from "./http/mcp/Mcp.ts"
import { operationFinder, routerConfig } from "./http/middleware/Methods.ts"
import { outsideRoutes } from "./http/OutsideRoutes.ts"
import { ProviderSecrets } from "./http/middleware/ProviderSecrets.ts"
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

/** The secrets that verify Twilio's webhooks for calls; null without an account or a public URL. */
const twilioSecrets = ({ publicUrl, twilio }: ServerConfig) =>
  twilio === null || publicUrl === null ? null : { publicUrl, authTokens: twilioTokens(twilio) }

/** Checks the storage of raw mail, unless the embedding program replaces it. */
const openObjects = (config: ServerConfig, { objects }: Adapters.Adapters) =>
  objects === undefined ? ObjectStore.open(config) : Effect.void

/** The services of all routes, on the configured database. */
export const services = (
  config: ServerConfig,
  adapters: Adapters.Adapters = {},
  waiting: Waiting = { reason: null },
  closing: Latch.Latch = Latch.makeUnsafe(false)
): Layer.Layer<Routes.Services, StartupFailed> => {
  const random = randomPool()
  const agreed = Layer.provideMerge(SealingKeys.layer(config), SecretKeyCheck.layer(config))
  const stored = Layer.provideMerge(agreed, Layer.mergeAll(secrets(config), store(config, waiting)))
  const egress = NodeEgress.layer({ policy: config.egress })
  return Layer.mergeAll(
    stored,
    Layer.succeed(Limits, Limits.of(config.limits)),
    Layer.succeed(TrustedProxies, { isTrusted: trustedProxies(config.trustedProxies) }),
    Ids.layer(random),
    Layer.provideMerge(
      observeProviders(Adapters.isConfigured(config, adapters), Adapters.layer(config, adapters)),
      Layer.mergeAll(Randomness.layer(random), PooledParser.layer, egress, stored)
    ),
    HtmlRendering.layer,
    NodeMailComposer.layer,
    Layer.succeed(ProviderSecrets, {
      nylasWebhook: config.nylas?.webhookSecret ?? null,
      stripeWebhook: config.stripe?.webhookSecrets ?? [],
      crmWebhookKeys: config.crm?.webhookKeys ?? [],
      crmActions: config.crmCallers.actionSecrets,
      twilio: twilioSecrets(config),
      publicUrl: config.publicUrl,
      sms: new Map(smsAccounts(config))
    }),
    egress,
    NodeHmac.layer,
    Layer.succeed(McpEnabled, config.mcp),
    Layer.succeed(ConsoleEnabled, config.console),
    Layer.succeed(SignInClient, config.consoleSignIn),
    Layer.succeed(DeliveryPolicy, { mode: config.webhookDelivery }),
    EventStreams.layer(closing),
    DoctorProcess.layer(Redacted.value(config.environment)),
    Liquid.layer,
    CompiledConfigs.layer,
    Layer.sync(CpuShares, makeCpuShares)
  ).pipe(
    Layer.provide(Layer.effectDiscard(Effect.andThen(ensureDataDir(config.dataDir), openObjects(config, adapters))))
  )
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
export const layer = (
  config: ServerConfig,
  adapters: Adapters.Adapters = {}
): Layer.Layer<HttpServer.HttpServer, StartupFailed> => {
  const waiting: Waiting = { reason: null }
  const closing = Latch.makeUnsafe(false)
  const meter = config.metrics === null ? null : makeMeter()
  const parts = Layer.mergeAll(
    watchdog(meter),
    Routes.layer,
    Workers.layer(
      meter === null ? runJob : countJobs(meter, runJob),
      config.eventRetentionDays,
      config.mailboxConnectionLimit
    ),
    MailIntake.layer(config)
  )
  const app = Layer.provide(parts, metered(config, meter, services(config, adapters, waiting, closing)))
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
