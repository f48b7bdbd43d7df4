/**
 * The adapters of the ports to external providers, as the configuration selects them. A program that embeds the server
 * can replace each of them. Requests, retries and errors of providers belong to `connectors`. Tests:
 * `packages/server/test/Adapters.test.ts`, `examples/embed-server`.
 */
import * as ClamdScanner from "@leadloom/connectors/internal/clamd/ClamdScanner"
import * as ByFamily from "@leadloom/connectors/internal/ByFamily"
import * as DiscoveringMailboxes from "@leadloom/connectors/internal/DiscoveringMailboxes"
import * as HighLevelCrm from "@leadloom/connectors/internal/highlevel/HighLevelCrm"
import * as SsoProof from "@leadloom/connectors/internal/highlevel/SsoProof"
import * as LanguageModel from "@leadloom/connectors/internal/llm/LanguageModel"
import * as NylasMail from "@leadloom/connectors/internal/nylas/NylasMail"
import * as NylasTransport from "@leadloom/connectors/internal/nylas/NylasTransport"
import * as OidcTokens from "@leadloom/connectors/internal/oidc/OidcTokens"
import * as SandboxSms from "@leadloom/connectors/internal/sandbox/SandboxSms"
import * as SandboxTransport from "@leadloom/connectors/internal/sandbox/SandboxTransport"
import * as SandboxVoice from "@leadloom/connectors/internal/sandbox/SandboxVoice"
import { smsLayer } from "@leadloom/connectors/internal/sms/SmsLayer"
import * as OAuthMailboxes from "@leadloom/connectors/internal/oauth/OAuthMailboxes"
import * as MailboxTransport from "@leadloom/connectors/internal/smtp/MailboxTransport"
import * as SmtpTransport from "@leadloom/connectors/internal/smtp/SmtpTransport"
import * as StripePayments from "@leadloom/connectors/internal/stripe/StripePayments"
import * as Turnstile from "@leadloom/connectors/internal/turnstile/Turnstile"
import * as TwilioVoice from "@leadloom/connectors/internal/twilio/TwilioVoice"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmProofs } from "@leadloom/core/internal/port/provider/CrmProofs"
import type { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { FileScanner } from "@leadloom/core/internal/port/provider/FileScanner"
import { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import { HumanCheck } from "@leadloom/core/internal/port/provider/HumanCheck"
import { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import type { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import { AccountLimit } from "@leadloom/core/internal/domain/email/Accounts"
import { MailHosts } from "@leadloom/core/internal/domain/mailbox/MailHostPolicy"
import { Payments } from "@leadloom/core/internal/port/provider/Payments"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import type { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import type { VoiceProvider } from "@leadloom/core/internal/port/provider/VoiceProvider"
import type { Randomness } from "@leadloom/core/internal/port/system/Ids"
import type { Objects } from "@leadloom/core/internal/port/system/Objects"
import { Layer } from "effect"
import type { ServerConfig } from "./config/Config.ts"
import { smsAccounts } from "./config/SmsVariables.ts"
import type { ObservedService } from "./deployment/ProviderStates.ts"
import { smsStatusPath } from "./http/webhook/SmsWebhooks.ts"
import * as ObjectStore from "./startup/ObjectStore.ts"
import type { StartupFailed } from "./startup/StartupFailed.ts"

/** An adapter of one port. It may fail with `StartupFailed`, whose line the server prints before it stops. */
type Adapter<Port> = Layer.Layer<Port, StartupFailed>

/** The adapters that an embedding program provides. The configuration selects the others. */
export interface Adapters {
  /** Sends the mail of all accounts. Replaces `LEADLOOM_SMTP_URL` and the sending through Nylas. */
  readonly emailTransport?: Adapter<EmailTransport>
  /** Reads mailboxes at any mail server, and finds their servers. */
  readonly mailboxes?: Adapter<Mailboxes>
  /** Sends text messages. Replaces Twilio and `LEADLOOM_SMS_*`, except their webhooks. */
  readonly smsProvider?: Adapter<SmsProvider>
  /** Places calls. Replaces Twilio, except its webhooks. */
  readonly voiceProvider?: Adapter<VoiceProvider>
  /** Replaces the CRM of `LEADLOOM_CRM_CLIENT_ID`. */
  readonly crm?: Adapter<Crm>
  /** Takes payments. Replaces Stripe, except its webhook. */
  readonly payments?: Adapter<Payments>
  /** Classifies messages. Replaces the language model of `LEADLOOM_LLM_*` for this purpose. */
  readonly classifier?: Adapter<Classifier>
  /** Writes replies. Replaces the language model of `LEADLOOM_LLM_*` for this purpose. */
  readonly replyWriter?: Adapter<ReplyWriter>
  /** Verifies ID tokens of users. Replaces `LEADLOOM_OIDC_*`. */
  readonly idTokens?: Adapter<IdTokens>
  /** Verifies that a person filled in a form. Replaces `LEADLOOM_TURNSTILE_SECRET`. */
  readonly humanCheck?: Adapter<HumanCheck>
  /** Stores raw mail and attachments. Replaces `LEADLOOM_OBJECTS_*`. */
  readonly objects?: Adapter<Objects>
  /** Scans uploaded files. Replaces `LEADLOOM_CLAMD`. */
  readonly fileScanner?: Adapter<FileScanner>
}

/** Selects the mail transport by the provider family of an account. */
const emailTransport = ({ mailboxHosts, nylas, smtpRelay }: ServerConfig) =>
  ByFamily.layer({
    relayed: smtpRelay === null ? SandboxTransport.layer : SmtpTransport.layer(smtpRelay),
    hosted: nylas === null ? null : NylasTransport.layer(nylas),
    mailbox: MailboxTransport.layer({ policy: mailboxHosts })
  })

const hostedMail = ({ nylas }: ServerConfig): Layer.Layer<HostedMail, never, MailParser> =>
  nylas === null ? HostedMail.closed("LEADLOOM_NYLAS_API_KEY") : NylasMail.layer(nylas)

/** Verifies ID tokens, if an identity provider is configured. */
const idTokens = ({ oidc }: ServerConfig): Layer.Layer<IdTokens> =>
  oidc === null ? IdTokens.layerNone : OidcTokens.layer(oidc)

const humanCheck = ({ turnstile }: ServerConfig): Layer.Layer<HumanCheck> =>
  turnstile === null ? HumanCheck.closed("LEADLOOM_TURNSTILE_SECRET") : Turnstile.layer(turnstile)

const fileScanner = ({ clamd }: ServerConfig): Layer.Layer<FileScanner> =>
  clamd === null ? FileScanner.layerNone : ClamdScanner.layer(clamd)

const payments = ({ stripe }: ServerConfig): Layer.Layer<Payments> =>
  stripe === null ? Payments.closed("LEADLOOM_STRIPE_SECRET_KEY") : StripePayments.layer(stripe)

/** The CRM adapter. If no app is configured, it rejects every request. */
const crm = ({ crm: access }: ServerConfig): Layer.Layer<Crm> =>
  access === null ? Crm.closed("LEADLOOM_CRM_CLIENT_ID") : HighLevelCrm.layer(access)

const crmProofs = ({ crmCallers: { ssoSecret } }: ServerConfig): Layer.Layer<CrmProofs> =>
  ssoSecret === null ? CrmProofs.closed("LEADLOOM_CRM_SSO_SECRET") : SsoProof.layer(ssoSecret)

/** The provider of calls. Without a configured provider, the sandbox stores calls without placing them. */
const voiceProvider = ({ publicUrl, twilio }: ServerConfig): Layer.Layer<VoiceProvider> =>
  twilio === null || publicUrl === null ? SandboxVoice.layer : TwilioVoice.layer(twilio, publicUrl)

/** The language model that classifies messages and writes replies, if one is configured. */
const languageModel = ({ llm }: ServerConfig): Layer.Layer<Classifier | ReplyWriter, never, Randomness> =>
  llm === null ? Layer.merge(Classifier.layerNone, ReplyWriter.layerNone) : LanguageModel.layer(llm)

/** The configured language model without the parts that the program replaces. */
const modelPorts = (config: ServerConfig, { classifier, replyWriter }: Adapters) =>
  Layer.mergeAll(languageModel(config), classifier ?? Layer.empty, replyWriter ?? Layer.empty)

/** The provider of SMS. Without a configured provider, the sandbox stores messages without sending them. */
const smsProvider = (config: ServerConfig): Layer.Layer<SmsProvider> => {
  const [chosen] = smsAccounts(config)
  if (chosen === undefined || config.publicUrl === null) return SandboxSms.layer
  const [name, account] = chosen
  return smsLayer(account, `${config.publicUrl}${smsStatusPath(name)}`)
}

/** Returns a function that states whether a service has a provider. Any tenant may connect a mailbox, so mail has one. */
export const isConfigured =
  (config: ServerConfig, own: Adapters) =>
  (service: ObservedService): boolean => {
    const providers: Readonly<Record<ObservedService, unknown>> = {
      payments: own.payments ?? config.stripe,
      crm: own.crm ?? config.crm,
      mail: true,
      sms: own.smsProvider ?? (config.publicUrl === null ? null : smsAccounts(config)[0]),
      voice: own.voiceProvider ?? (config.publicUrl === null ? null : config.twilio),
      model: own.classifier ?? own.replyWriter ?? config.llm
    }
    return (providers[service] ?? null) !== null
  }

/** Provides the ports to all external providers: the adapters of the program, and those of the configuration. */
export const layer = (config: ServerConfig, own: Adapters) =>
  Layer.provideMerge(others(config, own), OAuthMailboxes.layer(config.oauthClients))

const others = (config: ServerConfig, own: Adapters) =>
  Layer.mergeAll(
    own.emailTransport ?? emailTransport(config),
    hostedMail(config),
    own.mailboxes ?? DiscoveringMailboxes.layer({ policy: config.mailboxHosts }),
    Layer.succeed(MailHosts, config.mailboxHosts),
    Layer.succeed(AccountLimit, config.emailAccountsPerTenant),
    Layer.succeed(PublicUrl, config.publicUrl),
    own.idTokens ?? idTokens(config),
    own.humanCheck ?? humanCheck(config),
    own.payments ?? payments(config),
    own.crm ?? crm(config),
    crmProofs(config),
    own.smsProvider ?? smsProvider(config),
    own.voiceProvider ?? voiceProvider(config),
    own.objects ?? ObjectStore.layer(config),
    own.fileScanner ?? fileScanner(config),
    modelPorts(config, own)
  )
