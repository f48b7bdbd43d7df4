import type { Rule } from "@leadloom/client"
import { actionText } from "../text/Actions.ts"
import { conditionText } from "../text/Conditions.ts"
import { ruleText, triggerText } from "../text/Rules.ts"

const list = new Intl.ListFormat("en", { type: "conjunction" })

const whenText = (rule: Rule): string => {
  const [condition, trigger] = [conditionText(rule.when), triggerText(rule)]
  if (trigger === "") return condition === "" ? ruleText.always : condition
  return condition === "" ? trigger : ruleText.both(trigger, condition)
}

/** Returns a rule as a sentence. */
export const sentenceOf = (rule: Rule): string =>
  ruleText.sentence(whenText(rule), list.format(rule.actions.map(actionText)))
