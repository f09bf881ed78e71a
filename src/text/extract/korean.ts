/** Nouns whose end looks like a particle or an ending. */
const wholeNouns =
  /(?:회의|논의|정의|문의|합의|협의|강의|동의|주의|의의|고양이|도로|속도|온도|정도|제도|지도|용도|강도|밀도|빈도|난이도|농도|각도|경로|진로|통로|프로|제로|유로|마이크로|매크로|결과|효과|성과|사과|학과|평가|휴가|국가|작가|물가|추가|증가|인가|전문가|차이|나이|아이|놀이|높이|길이|깊이|넓이|종이|레이|페이|파이|디스플레이|플레이|릴레이|은행|마을|가을|노을|불만|기만|미만|권한|기한|제한|무한|북한|남한|역할|분할|할인|포함|결함|명함|이해|피해|오해|올해|방해|집중|공중|수중|도중|책임|모임|게임|프레임|타임|런타임|처음|마음|다음|소음|캐나다|판다|바다|람다|소다|사이다|라디오)$/u;

const ofDoing =
  /(?:하였습니다|했습니다|하였다|했다고|했다|했고|했는데|했지만|했으며|했음|했던|합니다|한다는|한다|하는데|하는|하고|하기로|하기|하도록|하지만|하지|하면서|하면|하며|하여|하자고|하자|하려고|하세요|해야|해서|해요|해둠|해|함|할|한|되었습니다|됐습니다|되었다|됐다|됐음|됐고|됩니다|된다|되는|되고|되기|되도록|되지|되면|되며|되어|돼서|됨|될|된|시켰다|시킨다|시키는|시킴|시켜|중이다|중인)$/u;

const ofVerbs =
  /(?:니다|인다|는다|린다|든다|운다|진다|긴다|세요|어요|아요|네요|군요|는데|지만|면서|려고|거나|도록|어서|아서|어야|아야|여야|달라고|달라는|으면|으니|므로|니까|로운|스러운|러운|싶다|같다|없다|있다|없이|없음|있음|없는|있는|않음|않는|않은|않고|했|겠)$/u;

const particles =
  /(?:이었다|이라서|입니다|이다|이고|이며|에서부터|에서는|에서도|에서의|으로는|으로도|으로의|에게서|에게는|에게도|이라는|까지는|부터는|에서|에게|에는|에도|에만|으로|로는|로도|로만|까지|부터|처럼|보다|마다|조차|이나|이라|라는|라도|이랑|하고|께서|한테|은|는|이|가|을|를|에|의|로|와|과|도|만|랑)$/u;

/** The place of ㅆ among the final consonants of a syllable. */
const finalSsang = 20;

/**
 * The noun of a Korean word, without particles and without the endings of what is done with it (`도입하기로` → `도입`); `undefined` for verbs and
 * adjectives that their endings show. By rule, without a dictionary.
 */
export function koreanNoun(word: string): string | undefined {
  if (wholeNouns.test(word)) return word;
  if (isPast(word) || isConnective(word)) return undefined;
  // A syllable and the particle of an object are no word to look for.
  if (word.length < 3) return /[을를]$/u.test(word) ? undefined : word;
  const root = word.replace(ofDoing, "");
  if (root !== word && root.length >= 2) return withoutParticles(root);
  if (ofVerbs.test(word)) return undefined;
  return withoutParticles(word);
}

function withoutParticles(word: string): string | undefined {
  const noun = word.replace(particles, "");
  if (noun.length >= 2 || /^[A-Za-z]/u.test(noun)) return noun;
  return word.length - noun.length > 1 ? undefined : word;
}

/** Final consonants that only native stems have, before the ending `고`: `닫고`, `찾고`, but `창고`, `광고`. */
const nativeFinals: ReadonlySet<number> = new Set([
  2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 22, 23, 24, 25, 26, 27,
]);
/** Vowels of stems before the ending `서`: `자서`, `생겨서`, `줘서`, but `보고서`, `순서`. */
const stemVowels: ReadonlySet<number> = new Set([0, 1, 4, 6, 14]);

/** Whether a word is a verb that goes on: `닫고`, `먹으러`, `가져와서`. */
function isConnective(word: string): boolean {
  if (/(?:으러|아와서|어와서|져와서|려고)$/u.test(word)) return true;
  const before = word.charCodeAt(word.length - 2) - 0xac00;
  if (Number.isNaN(before) || before < 0 || before >= 11_172) return false;
  if (word.endsWith("고")) return nativeFinals.has(before % 28);
  return word.endsWith("서") && before % 28 === 0 && stemVowels.has(Math.floor((before % 588) / 28));
}

/** A syllable that ends in ㅆ before an ending: `바꿨다`, `줄였고`. */
function isPast(word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index) - 0xac00;
    if (code >= 0 && code < 11_172 && code % 28 === finalSsang) return true;
  }
  return false;
}
