import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Letters of names that are usually written otherwise, and the usual ones, as they are in this release. */
const OTHERS =
  'ぁぃぅぇぉをゕゖっゃゅょゎ-髙邊邉﨑嵜斎齊齋澤濱濵嶋嶌廣國櫻瀧龍惠冨峯眞𠮷關榮學鐵實壽萬蘆檜舘條德禮橫綠曾彌龜溪鹽黑鄕瀨賴豐與兒圓寶巖栁藪';
const USUAL =
  'あいうえおおかけつやゆよわー高辺辺崎崎斉斉斉沢浜浜島島広国桜滝竜恵富峰真吉関栄学鉄実寿万芦桧館条徳礼横緑曽弥亀渓塩黒郷瀬頼豊与児円宝巌柳薮';

/**
 * Duplicates are grouped along the names in usual letters. The index holds them, and no column: the table is not written anew, and
 * the release before keeps it as it keeps any index. `name_key` is there so that no row is read.
 */
export async function up(knex: Knex): Promise<void> {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS crm_companies_by_usual_name');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY crm_companies_by_usual_name
      ON crm_companies (organization_id, translate(name_key, '${OTHERS}', '${USUAL}'), id) INCLUDE (name_key)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS crm_companies_by_usual_name');
}
