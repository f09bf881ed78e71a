import { once } from "../../base/lines.ts";

/**
 * Words for what belongs to the speaker. `I` is not among them: "how do I boil an egg" speaks of no egg of the speaker's, "when is our
 * review" does.
 */
const own = `my mine our ours mein meine meinem meinen meiner meines unser unsere unserem unseren unserer unseres mon mes notre nos mi mis mío mía míos mías nuestro nuestra nuestros nuestras
mio mia miei mie nostro nostra nostri nostre meu meus minha minhas nosso nossa nossos nossas mijn ons onze mój moja moje mojego mojej nasz nasza nasze
мой моя моё мое мои моего моей моих моему моим мою наш наша наше наши нашего нашей наших нашу 내 제 우리 저희`;

/** The same in writing without spaces. */
const ownUnspaced = "私|僕|俺|うちの|我的|我们|我們|我家|咱";

/** What the speaker did or was: `what did I say about…`, `was habe ich…`. */
const done =
  "(?:did|have|had|was|were) (?:i|we)|(?:are|do) we|am i|(?:habe|hatte|war|bin) ich|(?:haben|hatten|waren|sind) wir|ai-je|avons-nous";

const pattern = once(
  () =>
    new RegExp(`(?<![\\p{L}\\p{M}])(?:${own.split(/\s+/u).join("|")}|${done})(?![\\p{L}\\p{M}])|${ownUnspaced}`, "iu"),
);

/** Whether a message speaks of its speaker's own things, by a possessive or by asking what the speaker did. */
export function speaksOfOwn(message: string): boolean {
  return pattern().test(message);
}
