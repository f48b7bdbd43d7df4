import { count, reason, text } from "./ReasonEntry.ts"

const nothingToDo = "Nothing."

/** Reasons of the steps before the reply, and of missing answers of a model. */
export const runReasons = {
  classifier_off: reason(
    {},
    "no classifier is configured",
    "The configuration has `classifier: off`.",
    "Set `classifier` to `keywords` or `model`.",
    "skipped"
  ),
  classified_by_keywords: reason({}, "by keywords", "The keyword classifier classified the message.", nothingToDo),
  classified_by_model: reason(
    { model: text },
    ({ model }) => `by ${model}`,
    "A language model classified the message.",
    nothingToDo
  ),
  automatic_not_classified: reason(
    { auto: text },
    ({ auto }) => `automatic mail (${auto}) is not sent to a model`,
    "Automatic mail costs no model call.",
    nothingToDo,
    "skipped"
  ),
  unparsed_not_classified: reason(
    {},
    "the message could not be parsed",
    "The mail exceeded a limit of the parser, so its text is unknown.",
    "Read the source of the message, and parse it again.",
    "skipped"
  ),
  model_not_configured: reason(
    {},
    "LLM provider not configured",
    "The server has no language model, or none that may read messages of this tenant.",
    "Configure a model, or use the `keywords` classifier and templates.",
    "skipped"
  ),
  model_not_called: reason(
    {},
    "the model has not been called yet",
    "The decision needs an answer of a model that no run has recorded.",
    "Nothing: a run calls the model. A replay and a back-test call none.",
    "skipped"
  ),
  model_failed: reason(
    { detail: text },
    ({ detail }) => detail,
    "The language model returned no usable answer. The text is that of the provider.",
    "Check the model with `leadloom doctor`. A review task exists for the message.",
    "failed"
  ),
  model_calls_used_up: reason(
    {},
    "the AI calls of this month are used up",
    "The plan of the tenant allows no more model calls this month.",
    "Raise the plan or its cap, or answer the message yourself.",
    "skipped"
  ),
  conversation_changed: reason(
    {},
    "the conversation changed repeatedly during the model request",
    "New messages arrived during every request to the model.",
    "Answer the message yourself.",
    "skipped"
  ),
  scored: reason(
    { score: count, tier: text },
    ({ score, tier }) => `${score} of 100 is ${tier}`,
    "The message has a score.",
    nothingToDo
  ),
  rules_matched: reason(
    { count },
    (of) => `${of.count} rules matched`,
    "The rules of the configuration were evaluated.",
    "`leadloom explain` shows why each rule matched or did not."
  ),
  rules_stopped: reason(
    { count, ruleId: text },
    ({ ruleId, ...of }) => `${of.count} rules matched; rule ${ruleId} stopped the rules after it`,
    "A matched rule has the action `stop`.",
    "Change the priority of the rules or remove the action."
  ),
  run_over_budget: reason(
    { detail: text },
    ({ detail }) => `the run ends for review: ${detail}`,
    "Rules, templates or guardrails exceed the budget of a run, so no rule matches.",
    "Simplify the rule or template. Handle the message yourself; a review task exists.",
    "failed"
  ),
  actions_done: reason(
    { count },
    (of) => `${of.count} actions`,
    "The actions of the matched rules were carried out or skipped.",
    "The list `actions` of the run shows the result of each action."
  ),
  stored_text: reason(
    { text },
    (of) => of.text,
    "An older release stored this reason as text only.",
    "Read the text. A replay ignores it."
  )
} as const
