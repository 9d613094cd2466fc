// The rules pages: every exercise can be done, in both languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, visit } from './driver.mjs';

for (const game of ['chess', 'liberty', 'leiser', 'gyges']) {
  test(`every exercise of ${game} is solved by its solution`, async () => {
    const page = await open(`/learn/${game}`);
    const exercises = page.locator('figure', { has: page.getByRole('button', { name: 'Show me' }) });
    await exercises.first().waitFor();
    const all = await exercises.count();
    assert.ok(all >= 3, `${all} exercises`);
    for (let i = 0; i < all; i++) {
      const exercise = exercises.nth(i);
      await exercise.getByRole('button', { name: 'Show me' }).click();
      await exercise.getByText('Right! That is it.').waitFor();
    }
    // No board that the rules refuse.
    assert.equal(await page.getByText('cannot be shown').count(), 0);
    assert.equal(await page.locator('figure').count(), await page.locator('figure svg[role=grid], figure [role=grid]').count());
  });
}

test('an exercise is played by mouse: wrong, back, right', async () => {
  const page = await open('/learn/chess');
  const exercise = page.locator('figure', { hasText: 'White mates in one move' });
  const board = exercise.getByRole('grid');
  await board.scrollIntoViewIfNeeded();
  await board.getByRole('gridcell', { name: /^e1/ }).click();
  await board.getByRole('gridcell', { name: /^e2/ }).click();
  await exercise.getByText('Not this one').waitFor();
  await exercise.getByRole('button', { name: 'Take back' }).click();
  await board.getByRole('gridcell', { name: /^e1/ }).click();
  await board.getByRole('gridcell', { name: /^e8/ }).click();
  await exercise.getByText('Right!').waitFor();
});

test('the rules are there in Russian', async () => {
  const page = await open('/learn/gyges', { language: 'ru' });
  await page.getByRole('heading', { name: 'Отскок' }).waitFor();
  await visit(page, '/learn/leiser');
  await page.getByRole('heading', { name: 'Связка' }).waitFor();
});
