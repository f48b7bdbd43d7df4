import { Schema } from "effect"
import { CallbackHours } from "../assistant/CallbackTime.ts"
import { Guardrail, maxGuardrails } from "../guardrail/Guardrail.ts"
import { DealSettings, dealSettingsJson, defaultDealSettings } from "../lead/Deal.ts"
import { defaultThresholds, Thresholds } from "../lead/Score.ts"
import { maxRules, Rule } from "../rule/Rule.ts"
import { settings } from "../Settings.ts"
import { Holiday, maxHolidays } from "../time/OfficeTime.ts"
import { closedForm, PublicForm, publicFormJson } from "./PublicForm.ts"
import { WebOrigin } from "./WebOrigin.ts"

const LinkHost = Schema.String.check(
  Schema.isPattern(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u, { message: "Expected a lower-case host name" })
)

/** The information about a business that a language model receives. */
export class AssistantConfig extends Schema.Opaque<AssistantConfig>()(
  Schema.Struct({
    /** Empty selects the defaults. */
    instructions: Schema.String.check(Schema.isMaxLength(4_000)).annotate({
      description: "Instructions on style and tone"
    }),
    /** Services, area, opening hours. May be empty. */
    knowledge: Schema.String.check(Schema.isMaxLength(20_000)).annotate({
      description: "The facts that replies may contain"
    }),
    /** Besides the tenant's domain. */
    linkHosts: Schema.Array(LinkHost).check(Schema.isMaxLength(50)).annotate({
      description: "The hosts that a generated reply may link to"
    })
  })
) {}

/** The handling of calls. */
export class VoiceConfig extends Schema.Opaque<VoiceConfig>()(
  Schema.Struct({
    /** Null: callers only hear the greeting. */
    forwardTo: Schema.NullOr(
      Schema.String.check(Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number like +15551234567" }))
    ).annotate({
      description:
        "The telephone that rings for calls to the tenant's numbers. It also rings for calls to contacts if the request has no agent_phone"
    }),
    /** Empty: calls are forwarded immediately. */
    greeting: Schema.String.check(Schema.isMaxLength(1_000)).annotate({
      description: "The text that callers hear first"
    }),
    record: Schema.Boolean.annotate({
      description: "Whether calls are recorded. The tenant must inform callers where the law requires it"
    }),
    missedCallTask: Schema.Boolean.annotate({
      description: "Whether a missed call creates a task to call the contact"
    }),
    callbackHours: CallbackHours.annotate({
      description: "The hours in which the business calls contacts back, in its time zone"
    })
  })
) {}

/** The maximum number of origins whose pages may use session tokens of a tenant. */
export const maxSessionOrigins = 50

/** The maximum number of mail servers whose authentication results count. */
export const maxTrustedMailServers = 10

/** The maximum number of forwarding servers whose ARC seals count. */
export const maxTrustedArcSealers = 10

/** The configuration of a tenant. */
export class TenantConfig extends Schema.Opaque<TenantConfig>()(
  Schema.Struct({
    /** For facts about time. */
    timeZone: Schema.String.annotate({ description: "IANA time zone, for example Europe/Berlin" }),
    defaultCountry: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u)).annotate({
      description: "The ISO 3166-1 country of phone numbers without a country code"
    }),
    classifier: Schema.Literals(["off", "keywords", "model"]).annotate({
      description:
        "off: messages have no classification; keywords: the built-in deterministic classifier; model: the server's language model, and no classification on a server without one"
    }),
    replyMode: Schema.Literals(["off", "draft", "auto"]).annotate({
      description:
        "off: no reply is written; draft: the reply waits for a person; auto: the reply is sent if a channel is connected, otherwise it waits for a person"
    }),
    replyWaitSeconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 })).annotate({
      description:
        "The seconds that a message waits for more messages of the same contact, so that one reply answers all of them"
    }),
    takeoverHours: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 720 })).annotate({
      description: "The hours in which automatic replies pause after a message from a person of the tenant; 0: no pause"
    }),
    maxSequenceMessagesPerDay: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description:
        "The messages that all sequences together may send to one contact on one day, in the contact's time zone; 1 to 100"
    }),
    linkTracking: Schema.Boolean.annotate({
      description:
        "Whether links in the emails of sequences and rules lead over this server, which records when a contact opens them. Only administrators may change it; the law may require the consent of the contacts. Default: false"
    }),
    assistant: AssistantConfig.annotate({
      description: "The information that a language model receives about the business"
    }),
    publicForm: PublicForm.annotate({ description: "The form on the tenant's website" }),
    /** Compared literally. */
    sessionOrigins: Schema.Array(WebOrigin).check(Schema.isMaxLength(maxSessionOrigins)).annotate({
      description:
        "The origins of the web pages that may call the API with a session token of this tenant, for example https://app.acme.com; empty: none"
    }),
    /** In lower case, as authserv-ids are compared. */
    trustedMailServers: Schema.Array(LinkHost).check(Schema.isMaxLength(maxTrustedMailServers)).annotate({
      description:
        "The names (authserv-id) of the tenant's receiving mail servers, whose `Authentication-Results` count for imported mail, and for mail over SMTP from the operator's own mail servers; empty: none. The servers of connected accounts are trusted without an entry"
    }),
    /** In lower case, as the domains of seals are compared. */
    trustedArcSealers: Schema.Array(LinkHost).check(Schema.isMaxLength(maxTrustedArcSealers)).annotate({
      description:
        "The domains (`d=` of `ARC-Seal`) of forwarders whose ARC results authenticate mail over SMTP, for example of a mailing list server; empty: none"
    }),
    voice: VoiceConfig.annotate({ description: "The handling of calls" }),
    holidays: Schema.Array(Holiday).check(Schema.isMaxLength(maxHolidays)).annotate({
      description:
        "The days on which the business is closed, in its time zone: dates such as 2026-04-03, or days of every year such as 12-25; at most 100. Rules compare them as `time.is_open` and `time.is_holiday`"
    }),
    deals: DealSettings.annotate({ description: "The handling of leads as deals" }),
    guardrails: Schema.Array(Guardrail)
      .check(Schema.isMaxLength(maxGuardrails))
      .annotate({ description: "The limits on generated replies, in the order of their evaluation; at most 100" }),
    thresholds: Thresholds.annotate({ description: "The minimum scores of the upper tiers" }),
    scoreWeights: Schema.Record(
      Schema.String,
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10 }))
    ).annotate({ description: "Multipliers of the points of score factors, by name of the factor; default: 1" }),
    rules: Schema.Array(Rule)
      .check(Schema.isMaxLength(maxRules))
      .annotate({ description: "The rules of the tenant; at most 200. They run by priority, then in this order" })
  })
) {}

/** The default settings for calls. */
export const defaultVoice: VoiceConfig = {
  forwardTo: null,
  greeting: "",
  record: false,
  missedCallTask: true,
  callbackHours: { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
}

/** The configuration of a new tenant without a preset. */
export const defaultConfig: TenantConfig = {
  timeZone: "UTC",
  defaultCountry: "US",
  classifier: "model",
  replyMode: "draft",
  replyWaitSeconds: 0,
  takeoverHours: 24,
  maxSequenceMessagesPerDay: 1,
  linkTracking: false,
  assistant: { instructions: "", knowledge: "", linkHosts: [] },
  publicForm: closedForm,
  sessionOrigins: [],
  trustedMailServers: [],
  trustedArcSealers: [],
  voice: defaultVoice,
  holidays: [],
  deals: defaultDealSettings,
  guardrails: [],
  thresholds: defaultThresholds,
  scoreWeights: {},
  rules: []
}

/** The JSON of configurations. */
export const configJson = settings(TenantConfig, "TenantConfig", {
  description: "The settings for the handling of a tenant's messages",
  defaults: defaultConfig,
  // Fields that did not exist in the first version of the API.
  optional: [
    "replyWaitSeconds",
    "takeoverHours",
    "maxSequenceMessagesPerDay",
    "linkTracking",
    "assistant",
    "publicForm",
    "sessionOrigins",
    "trustedMailServers",
    "trustedArcSealers",
    "voice",
    "holidays",
    "deals",
    "guardrails"
  ],
  names: { thresholds: "tiers" },
  parts: {
    assistant: settings(AssistantConfig, "Assistant", {
      description: "The information about the business that a language model receives",
      defaults: defaultConfig.assistant
    }),
    publicForm: publicFormJson,
    deals: dealSettingsJson,
    voice: settings(VoiceConfig, "Voice", { description: "The settings for telephone calls", defaults: defaultVoice })
  }
})
