/**
 * An expression of time and the wall time that it means. `moved` marks a time outside the callback hours; `ask` marks
 * an expression that needs a question.
 */
export type Sentence = readonly [expression: string, means: string]
