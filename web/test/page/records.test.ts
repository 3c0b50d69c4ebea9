/** Files whose records differ in size: games, lines, and compressed files of several parts. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { Module } from '../../src/module.js';
import { SAMPLE, WEB, Site, drop, typeNumber, withoutDownloads, withoutModule } from './harness.js';

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';

describe('records of any size', { skip: withoutModule }, () => {
  let site: Site;
  let module: Module;
  before(async () => {
    site = await Site.start();
    module = await Module.instantiate(await readFile(join(WEB, 'src/komabako.wasm')));
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const hcp = (sfen: string) => Buffer.from(module.call('words', { sfen }).ok!.find(({ format }) => format === 'hcp')!.hex!, 'hex');
  /** A game in hcpe3 of moves without candidates: squares are 9 × file + rank, from 0. */
  const game = (moves: readonly (readonly [from: number, to: number, score: number])[]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(moves.length);
    const steps = moves.map(([from, to, score]) => {
      const step = Buffer.alloc(6);
      step.writeUInt16LE((from << 7) | to);
      step.writeInt16LE(score, 2);
      return step;
    });
    return Buffer.concat([hcp(START), head, ...steps]);
  };
  const field = (page: Page, name: string) => page.locator('.record div').filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
  const number = (page: Page) => page.getByRole('spinbutton', { name: 'Record', exact: true });

  test('record_of_a_game_is_found_by_its_number', async () => {
    const { page } = await site.open('?lang=en#files');
    // 7g7f 3c3d, then 2g2f 8c8d 2f2e, then an illegal move.
    const content = Buffer.concat([game([[60, 59, 11], [20, 21, 12]]), game([[15, 14, 21], [65, 66, 22], [14, 13, 23]]), game([[60, 59, 31], [60, 59, 32]])]);
    await drop(page, 'three.hcpe3', content);
    const shows = async (record: string, place: string) => {
      await field(page, 'Game, move').getByText(place, { exact: true }).waitFor();
      assert.equal(await number(page).inputValue(), record);
    };
    await shows('1', '1, 1');
    for (const [record, place] of [['2', '1, 2'], ['3', '2, 1'], ['4', '2, 2'], ['5', '2, 3'], ['6', '3, 1']] as const) {
      await page.getByRole('button', { name: 'Next record' }).click();
      await shows(record, place);
    }
    await typeNumber(number(page), '4');
    await shows('4', '2, 2');
    assert.equal(await field(page, 'Move').innerText(), 'P8c-8d');
    await page.getByRole('button', { name: 'Look for faults' }).click();
    await page.getByRole('button', { name: '7', exact: true }).first().click();
    await shows('7', '3, 2');
  });

  test('line_that_is_longer_than_what_is_read_at_once_is_shown', async () => {
    const { page } = await site.open('?lang=en#files');
    const line = (ply: number, blanks: number) => `{"sfen":"${START.replace(/1$/, String(ply))}",${' '.repeat(blanks)}"move":"7g7f","score":0,"ply":${ply},"result":1}\n`;
    await drop(page, 'long.jsonl', Buffer.from(line(1, 0) + line(2, 600_000) + line(3, 0)));
    await field(page, 'Ply').getByText('1', { exact: true }).waitFor();
    for (const ply of ['2', '3']) {
      await page.getByRole('button', { name: 'Next record' }).click();
      await field(page, 'Ply').getByText(ply, { exact: true }).waitFor();
    }
  });

  test('archive_of_the_program_is_named', async () => {
    const { page } = await site.open('?lang=en#files');
    await drop(page, 'some.kmb', Buffer.from([0x8b, 0x4b, 0x4d, 0x42, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 1, 0]));
    await page.getByText('an archive of Komabako: only the program reads it').waitFor();
  });

  test('gzip_of_several_members_is_read_to_its_end', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=en#files');
    const sample = await readFile(SAMPLE);
    const members = [0, 1, 2].map((part) => gzipSync(sample.subarray(part * 10_000, (part + 1) * 10_000)));
    await drop(page, 'members.psv.gz', Buffer.concat(members));
    await page.locator('.record').waitFor();
    await page.getByText('750 records').first().waitFor();
    assert.equal(await page.getByText('damaged or cut short').count(), 0);
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.locator('.verdict').getByText('750 records').waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a sample' }).click()]);
    assert.equal(saved.suggestedFilename(), 'sample-members.psv');
    // A member that was cut short is damage, as is anything else behind a member.
    for (const rest of [members[0]!.subarray(0, 3000), Buffer.from('something else')]) {
      await drop(page, 'damaged.psv.gz', Buffer.concat([members[0]!, rest]));
      await page.getByRole('heading', { name: 'damaged.psv.gz' }).waitFor();
      await page.getByText('damaged or cut short').waitFor();
    }
  });
});
