"""The text of the page that `tests_under_the_null.py` writes; the findings in it are of one run."""

TEXT = """A script writes this page. The same command reproduces it:

    python docs/scripts/tests_under_the_null.py --simulations {simulations} --seed {seed} --to {to}

**Question.** How often do our tests find a difference between equally good learners? How often do they detect
a better learner?

**Design.** Scores of {learners} learners at {sizes} sizes are drawn {simulations} times in each of {worlds}
scenarios with equal true means. Then one learner is made better by up to 1.5 standard deviations of a
difference. As many data sets are drawn and split. Rates are shares of simulations with exact binomial 95%
intervals. Mean shares of pairs have intervals from the standard error. The text quotes the run of 2000
simulations with seed 1.

**Answer.** With normal or heavy-tailed differences the corrected tests keep their level, or nearly. Skewness
raises the error rate. With 40 subjects one t test errs in 0.062 at skewness 1.4. If all 18 differences have
skewness 3.3, which is rare in our studies, Holm's procedure errs in 0.083. A bootstrap t test then errs in
0.025, but is too liberal with 10 subjects. If one learner is three times as noisy as the others, t tests have
more power than the analysis of variance. With equal variances they have less.

# Generating models as subjects

A subject is a generating model, on which learners labeled NB, TAN, AODE and noisy are scored at all sizes.
All true means are equal, so every rejection is a type I error.

{kinds_of_world}

## Rates

Bold: the whole interval is on the wrong side of the nominal value (error rate 0.05, coverage 0.95).

{table}

*Any* is the rate of at least one error among 18 comparisons (6 pairs at 3 sizes). Coverage is the probability
that all intervals of a family contain their true values.

## One t test by skewness and subjects

Differences are gamma-distributed with mean 0 and the long tail above. The t test has {skewed_simulations}
simulations, the bootstrap {simulations}. Bold: above the level, 0.05 or 0.0028.

{skewness}

The next table has the absolute sample skewness of sets of 40 differences in exact score, from our [study of
metrics](../studies/metric_of_metrics.md) and [simulation of 2004](../studies/hope2004_simulation.md). Samples
of 40 underestimate it: 1.4 and 3.3 appear as 1.1 and 2.2 (medians).

**Skewness of differences in our studies**

| study | exact score | sets | median | 95th percentile | maximum | sets above 1.1 | sets above 2.2 |
| --- | --- | --- | --- | --- | --- | --- | --- |
| metrics | KL divergence | 540 | 0.4 | 1.4 | 4.6 | 47 | 5 |
| metrics | IR_B | 540 | 0.4 | 1.4 | 4.8 | 51 | 8 |
| metrics | accuracy | 540 | 0.5 | 1.7 | 4.1 | 93 | 20 |
| simulation of 2004 | KL divergence | 54 | 0.5 | 2.1 | 4.3 | 10 | 3 |
| simulation of 2004 | IR_B | 54 | 0.6 | 2.1 | 3.8 | 11 | 3 |
| simulation of 2004 | accuracy | 54 | 0.4 | 2.1 | 3.6 | 13 | 3 |

## A bootstrap t test

A bootstrap t test compares the observed t with those of {resamples} resamples of the centered subjects. Its
p-value is twice the smaller tail. The package does not include it. `docs/scripts/power_of_tests.py` defines
it as `bootstrap_t`. Draws are as above.

**Type I error rates of t tests and bootstrap t tests**

{bootstrap}

For power, NB is better or worse than TAN by {bootstrap_lead} standard deviations of their difference. Both
tests are unadjusted.

**Power of one t test and of its bootstrap**

{bootstrap_power}

## Findings under the null hypothesis

* **In (a) to (d) the corrected tests keep their level.** Heavy tails make them conservative. With 10 subjects
  Huynh and Feldt's correction may be slightly liberal (0.060).
* **The uncorrected analysis of variance is too liberal if variances differ.** More subjects do not help.
* **Eighteen unadjusted t tests find some difference in 0.371 to 0.506, also in (a) to (d).**
* **Skewness raises the level of every test of differences, most with few subjects.** Corrections for
  sphericity or multiple tests do not help. Intervals of the 12 means are valid with 40 subjects.
* **A bootstrap t test corrects for skewness with 40 subjects, but not with 10.** Ten subjects often miss the
  long tail. With heavy symmetric tails it is liberal (0.075 with Holm's procedure). It loses power on the
  side of the errors. In (s), with NB worse, its power is 0.566 instead of 0.805.
* **Nearly all errors of one skewed t test point away from the long tail.** At skewness 3.3 and 40 subjects
  they are 0.088 of 0.093.
* **Small significance levels suffer most.** At 0.05/18 the same test errs in 0.030. Eighteen independent
  comparisons would then err in 42% of studies.
* **Ordinary skewness matters little with 40 or more subjects.** At skewness 3.3 even 200 are too few (0.059).

One or two of a scenario's twelve error rates may exclude 0.05 by chance. Variances and correlations of (b)
and (d) are plausible for comparisons of learners, but not fitted to a study. In (s) and (t) all differences
share one skewed factor. A signed-rank test was not simulated, because it does not test the mean.

# Power if one learner is better

{first} is made better at all sizes, for the interaction only at the first size. Its lead is in standard
deviations of its difference to {second} at that size. A lead is detected if the test is significant at 0.05
and, for t tests, the difference has the right sign. In (s) and (t) {first} is also made worse, because the
long tail is on one side.

![Power by test, scenario and lead](../figures/power_of_tests.png)

At a lead of 0 the curves show type I errors, for t tests only those on the side of the lead.

**Power by scenario and lead**

{power}

## Scenario (b), lead {noise_lead}, by the noise of the last learner

Noise is in multiples of the noise of NB and TAN. It is 3 in scenario (b).

{noise}

* **The variances determine which test detects more.** The noisy learner inflates the error term of the
  analysis of variance. T tests of other learners do not depend on it. With equal variances (a) and a lead of
  0.25, Greenhouse and Geisser's test detects 0.787 and Holm's procedure 0.422.
* **A planned comparison detects much more than one of eighteen.** In (b) NB - TAN at 500 rows is detected in
  0.874 unadjusted and 0.533 with Holm's procedure.
* **Ten subjects reveal only large leads.** With Holm's procedure a lead of 1.0 is detected in 0.318, with 40
  subjects in 1.000.
* **Simultaneous intervals have slightly less power than Holm's procedure.** The largest gap is 0.719 against
  0.768.
* **If differences are skewed, power depends on the side.** In (s) Holm's procedure detects a lead of 0.25 in
  0.007 on the side of the long tail, and in 0.222 on the side of the errors.

# Repeated splits of data sets

Parts of a data set share rows, so they are not independent subjects and need other tests. Each of
{simulations} data sets is split as by `FiveByTwo` (random halves, five times) and `RandomSplits` (two thirds
for training, 25 times). {n_table_learners} learners are trained and scored on every part. Each uses Bayes'
rule on one shared and one private normal column. Private columns are exchangeable, so all learners are
equally good. The {n_pairs} pairs of a data set are tested together.

{kinds}

Intervals are over data sets. Bold intervals are above 0.05.

**Type I error rates on data sets**

{table_rates}

Some patterns of differences give the 5x2cv tests little information:

**Patterns of differences on data sets**

{table_ties}

* **The uncorrected resampled t test is invalid.** On 500 rows it rejects for 0.578 of equal pairs, with
  Nadeau and Bengio's correction for 0.052. The correction is approximate, but no rate is significantly above
  0.05.
* **Dietterich's t and Alpaydin's F keep about 0.05 for one pair of continuous scores, or less.** With Holm
  over 15 pairs F is slightly liberal on 100 rows (0.061), because the F distribution is only approximate in
  the far tail.
* **All corrected tests are conservative for accuracies on small data sets.** Learners without a significant
  difference may differ there.
* **A nonzero difference without any spread is not tested.** It occurs in up to 0.093 of such data sets. An
  infinite F would be significant each time.
* **F is too liberal if only one of the five replications has any spread.** On 150 rows it rejects for 0.077
  of such pairs, although its rate over all pairs is low. Inspect the ten differences of a win by accuracy on
  a small data set.

## Power on data sets

The classes are further apart in the first learner's private column. *Lead* is its mean advantage in the unit
of the score. Its five pairs are tested, with Holm's adjustment over all 15.

{table_power}

* **The corrected resampled t has the most power for log scores, Dietterich's t the least.** On 500 rows they
  detect a lead of 0.096 bits in 0.775 and 0.417 of pairs. For accuracies on 56 rows the corrected t has the
  least power.
* **Data sets of 150 rows or fewer usually miss a lead of three points of accuracy.** At most 0.367 of single
  pairs detect it, with Holm's adjustment 0.031.

Not simulated: learners that react to single rows, as trees do, very unequal classes, and unbounded losses.

# Ranks, posteriors and correlations

[Another page](ranks_under_the_null.md) measures errors of rank tests, Bayesian posteriors and intervals of
correlations.
"""
