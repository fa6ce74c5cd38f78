"""The text of the page that `tests_under_the_null.py` writes; what is in it by hand is of one run."""

TEXT = """Written by a script; the same command gives the same page:

    python docs/scripts/tests_under_the_null.py --simulations {simulations} --seed {seed} --to {to}

**Question.** When all learners are equally good, how often do our tests find a difference? When one is
better, how often do they find it?

**Design.** Scores of {learners} learners at {sizes} sizes are drawn {simulations} times in each of {worlds}
worlds with equal true means, then with one learner made better by up to 1.5 standard deviations of a
difference. Data sets are drawn, split and learned from in the same number of simulations. Intervals are
95%, one by one: exact binomial, or from the standard error where a share of pairs is averaged. What the
tables show was put in words by hand, from the run of 2000 simulations with seed 1.

**Answer.** With normal or heavy-tailed differences corrected tests keep their level, or nearly. Skewness
raises it: with 40 subjects one t test errs in 0.062 (0.058, 0.065) at skewness 1.4, Holm's over 18 in 0.083
(0.071, 0.096) if all have 3.3, which is rare in our studies. There a bootstrap t test keeps it, 0.025
(0.019, 0.033), but not with 10 subjects. With one learner three times as noisy, t tests find leads of
another one that the analysis of variance misses; with equal variances it is the other way round.

Friedman's test with Nemenyi's and Holm's, the Bayesian posteriors and correlations of metrics are
[below](#ranks-posteriors-and-correlations), in short.

# Truths as subjects

All true means are equal, so every rejection is a false alarm, and a test at 0.05 should raise one in 5% of
simulations.

{kinds_of_world}

## Rates

In brackets the interval of the rate. Bold: the whole interval lies on the wrong side of what was promised
(false alarms 0.05, coverage 0.95).

{table}

"Each" is the rate of a single comparison, "any" the chance of at least one false alarm among the 18 (6
pairs of learners at 3 sizes). Coverage is the chance that all intervals of a family hold their true values.
The smallest of 18 p values passes Holm's procedure exactly where it passes Bonferroni's, so under the null
"any of 18, Holm" and the coverage of the differences add up to 1.

## One t test by skewness and subjects

Differences are gamma with mean 0 and the long tail above it; {skewed_simulations} simulations, of the
bootstrap {simulations}. Bold: above what was promised, 0.05 or 0.0028.

{skewness}

For scale: absolute sample skewness of the 40 differences of two learners in exact score, a set for each
kind of truth, training size and pair, in the [study of metrics](../studies/metric_of_metrics.md) and in the
[simulation of 2004](../studies/hope2004_simulation.md). Samples of 40 understate it: of gamma variables
with skewness 1.4 and 3.3 they show 1.1 and 2.2 (medians).

**Skewness of differences in our studies**

| study | exact score | sets | median | 95% are below | most | sets above 1.1 | sets above 2.2 |
| --- | --- | --- | --- | --- | --- | --- | --- |
| metrics | KL divergence | 540 | 0.4 | 1.4 | 4.6 | 47 | 5 |
| metrics | IR_B | 540 | 0.4 | 1.4 | 4.8 | 51 | 8 |
| metrics | accuracy | 540 | 0.5 | 1.7 | 4.1 | 93 | 20 |
| simulation of 2004 | KL divergence | 54 | 0.5 | 2.1 | 4.3 | 10 | 3 |
| simulation of 2004 | IR_B | 54 | 0.6 | 2.1 | 3.8 | 11 | 3 |
| simulation of 2004 | accuracy | 54 | 0.4 | 2.1 | 3.6 | 13 | 3 |

## A bootstrap t test

Student's t is symmetric, that of skewed differences is not. A bootstrap t test compares the t of the
subjects with those of {resamples} resamples of the subjects around their mean, and takes twice the smaller
tail as its p value. The package does not have it; it is the function `bootstrap_t` of ten lines in
`docs/scripts/power_of_tests.py`. False alarms about the same draws as above:

**False alarms of t tests and of bootstrap t tests**

{bootstrap}

Power: NB is made better (or worse) than in the worlds above by {bootstrap_lead} standard deviations of its
difference to TAN, as below. Both tests are unadjusted.

**Power of one t test and of its bootstrap**

{bootstrap_power}

## What this shows

With twelve rates of false alarms in each world, one or two whose intervals lie just outside 0.05 are to be
expected by chance; those that matter are far outside or come back in several worlds.

* **The uncorrected analysis of variance is too liberal where variances differ**, the interaction most:
  0.132 (0.117, 0.148) with 40 subjects. More subjects do not help: 0.139 (0.124, 0.155) with 10.
* **Greenhouse and Geisser's correction is not seen to exceed its level in worlds (a) to (d)**: at most
  0.055 (0.045, 0.066). Huynh and Feldt's is nearer to 0.05 where there is nothing to correct, and with 10
  subjects perhaps a little liberal, 0.060 (0.050, 0.071).
* **Paired t tests one by one keep their level there; eighteen of them together do not**: without adjustment
  0.371 (0.350, 0.393) to 0.506 (0.484, 0.528) of studies would report some difference. With Holm's
  procedure it is at most 0.048 (0.039, 0.058).
* **The simultaneous (Bonferroni) intervals cover at least as often as they promise there**: all 18
  differences in 0.952 (0.942, 0.961) or more.
* **Heavy symmetric tails make all of these tests cautious, not liberal**: Holm's errs in 0.022 (0.016,
  0.029).
* **Skewness raises the level of every test of differences here, and fewer subjects make it worse.** In
  world (s) Greenhouse and Geisser's test of the learners errs in 0.089 (0.077, 0.103), with 10 subjects in
  0.156 (0.140, 0.173); the 18 intervals cover in 0.917 (0.904, 0.929) and 0.801 (0.783, 0.819). Corrections
  for sphericity or for many tests do not correct this. The intervals of the 12 means, which the normal
  level of a subject makes less skewed, hold with 40 subjects, 0.947 (0.936, 0.956).
* **A bootstrap t test repairs this with 40 subjects, not with 10.** In world (s) Holm's over 18 then errs
  in 0.025 (0.019, 0.033) in place of 0.083 (0.071, 0.096), in world (t) in 0.118 (0.104, 0.133) in place of
  0.199 (0.181, 0.217): ten subjects often hold none of the long tail. (Of gamma differences without the
  noise of the worlds it keeps its level with 10, too, 0.060 (0.050, 0.071).) *Where it turns:* with heavy
  symmetric tails it is the liberal one, 0.075 (0.064, 0.087) with Holm's procedure.
* **Its price is power on the side of the false alarms**: in world (s) 0.566 (0.543, 0.587) in place of
  0.805 (0.787, 0.822) where NB is worse. With normal differences and 40 subjects there is none: 0.863
  (0.847, 0.877) and 0.867 (0.851, 0.882).
* **Nearly all of these errors point away from the long tail**: with skewness 3.3 and 40 subjects one t test
  errs in 0.093 (0.089, 0.097), 0.088 (0.084, 0.092) on the side where the rare large differences were not
  drawn.
* **Levels far in the tail suffer most**: there the same test at 0.05/18 errs in 0.030 (0.027, 0.032). The
  18 comparisons of world (s) share one factor; as many independent ones with this rate would raise an alarm
  in 42% of studies.
* **Ordinary skewness matters little with 40 subjects or more**: 1.4 gives 0.062 (0.058, 0.065), with 200
  subjects 0.052 (0.049, 0.055), with 10 subjects 0.076 (0.072, 0.080). Most sets of differences in our
  studies are less skewed. With skewness 3.3, which is rare, not even 200 subjects suffice, 0.059 (0.055,
  0.062).

Not tried: a signed-rank test, which asks for the center of a symmetric distribution, not for the mean.
Worlds (b) and (d) have one set of variances and correlations, chosen as plausible and not fitted to a study
(below their noise is varied); (s) and (t) have one way to be skewed, one factor in all 18 differences.

# What the tests find when one learner is better

{first} is made better than in the worlds above, at all sizes, by a lead counted in standard deviations of the
difference between {first} and {second} at that size; for the interaction at the first size alone. A lead is
found if the test is significant at 0.05 and, for t tests, the difference has the right sign. In worlds (s)
and (t) the difference has a long tail above its mean, so there {first} is also made worse by as much. All
leads share their draws.

![Share of simulations in which a lead is found, by test and world](../figures/power_of_tests.png)

At a lead of 0 the curves show false alarms, of t tests only those on the side of the lead.

{power}

## World (b), lead {noise_lead}, by the noise of the last learner

It is given in multiples of the noise of NB and TAN; world (b) has 3. Sizes stay as unequal as they are.

{noise}

* **Which test finds more depends on the variances.** At a lead of 0.5 in world (b) Greenhouse and Geisser's
  test of the learners finds a difference in 0.124 (0.110, 0.139), Holm's some lead of NB in 0.992 (0.987,
  0.995). *Where it turns:* the learner that is three times as noisy makes it, by its part in the error of
  the former, which finds the same lead in 0.904 (0.891, 0.917) if that learner is as noisy as NB. With
  equal variances, world (a), a lead of 0.25 is found in 0.787 (0.769, 0.805) by the analysis of variance,
  which averages the sizes, and in 0.422 (0.400, 0.444) by Holm's.
* **That any of nine t tests counts is not the reason**: t tests of the means over sizes, three of NB, find
  it in 0.996 (0.991, 0.998); but one of the nine, NB - TAN at 500, in 0.533 (0.511, 0.556).
* **A comparison that was chosen in advance finds much more than one of eighteen**: NB - TAN at 500 rows,
  lead 0.5, world (b): 0.874 (0.859, 0.888) unadjusted, 0.533 (0.511, 0.556) with Holm's procedure.
* **Ten subjects show only large leads**: a lead of 1.0 in 0.318 (0.298, 0.339) with Holm's procedure and
  0.148 (0.133, 0.165) by Greenhouse and Geisser's test; with 40 subjects in 1.000 (0.997, 1.000) and 0.827
  (0.810, 0.843).
* **Simultaneous intervals find little less than Holm's procedure**: the largest gap is 0.768 (0.749, 0.787)
  against 0.719 (0.698, 0.738), world (d) at a lead of 1.5.
* **Where differences are skewed, power depends on the side.** In world (s) a lead of 0.25 is found with
  Holm's procedure in 0.007 (0.004, 0.012) if the long tail is on the side of the lead, and in 0.222 (0.203,
  0.240) if it is on the other, where the false alarms are, too. Power without level is worth little.
* **What the uncorrected analysis of variance adds is mostly false alarms**: 0.120 (0.107, 0.136) at a lead
  of 0.25 in world (b), 0.101 (0.088, 0.115) at none.

# Data sets that are split again and again

Parts of a data set share rows, so here the subjects are not independent and other tests are used. In each
of {simulations} simulations a data set is drawn, split as `FiveByTwo` does (random halves, five times) and
as `RandomSplits` does (two thirds to learn from, 25 times), and {n_table_learners} learners are taught and
scored on every part. A learner takes normal columns by Bayes' rule: one column that all of them see, one of
its own. Their own columns are exchangeable, so all learners are equally good, but on the same rows, as real
ones are. The {n_pairs} pairs of a data set are tested together.

{kinds}

In brackets the 95% interval over data sets; bold where it lies above 0.05.

**False alarms on data sets**

{table_rates}

How often differences fall on a pattern that leaves the 5x2cv tests little to stand on:

**Patterns of differences on data sets**

{table_ties}

* **The resampled t test without correction is no test**: on 500 rows it calls 0.578 (0.571, 0.585) of equal
  pairs different, and finds a difference in 0.956 (0.946, 0.965) of data sets even with Holm's procedure.
* **Nadeau and Bengio's correction brings that to about 0.05**: 0.052 (0.048, 0.055) for one pair and 0.051
  (0.042, 0.062) with Holm over 15. It is an approximation, and no rate here is seen to be above.
* **Dietterich's t and Alpaydin's F hold about 0.05 for one pair of continuous scores or stay below.** With
  Holm over 15 pairs t is cautious; F on data sets of 100 rows is a little liberal, 0.061 (0.051, 0.072).
  Far in the tail, where Holm looks, the F distribution is only an approximation.
* **Accuracies on small data sets make all corrected tests very cautious**: with learners that disagree on
  one row in a hundred, F finds a difference in 0.009 (0.008, 0.011) of equal pairs or fewer. What they
  cannot distinguish there may well differ.
* **A difference without any spread is not tested**: it occurs in 0.008 (0.007, 0.009) of equal pairs or
  fewer, but in up to 0.093 (0.081, 0.107) of such data sets, and an F of infinity would be a sure win for
  each.
* **A weakness remains next to it.** Where only one of the five replications has any spread, F rests on a
  single number, and on 150 rows calls 0.077 (0.064, 0.089) of such pairs different, though the data set as
  a whole stays below its level. A win by accuracy on a small data set deserves a look at its ten
  differences.

## A learner that is better

The classes are further apart in the first learner's own column. "Lead" is how much better it is than the
others in the unit of the score, mean over data sets; the tests are of its five pairs, and Holm's adjustment
is over all 15.

**Leads that are found on data sets**

{table_power}

The resampled t test without correction is left out, as its false alarms make its finds worthless.

* **The corrected resampled t finds the most, Dietterich's t the least**: on 500 rows a lead of 0.096 bits
  in 0.775 (0.762, 0.788) of pairs, F in 0.558 and t in 0.417 (0.402, 0.433). Their false alarms do not
  explain it (0.052, 0.038 and 0.031). *Where it turns:* for accuracies on 56 rows and a lead of 0.008 t
  finds 0.028 (0.022, 0.033) and the corrected t 0.003 (0.001, 0.004).
* **Holm's adjustment over 15 pairs takes half of that and more**: 0.384 (0.368, 0.400) are left to the
  corrected t, 0.127 (0.118, 0.137) to F, 0.052 (0.046, 0.057) to t.
* **By accuracy, data sets of 150 rows or fewer do not show three points**: a lead of 0.030 on 150 rows is
  found in 0.367 (0.348, 0.385) of single pairs at best, with Holm's adjustment in 0.031 (0.024, 0.037).

What was not tried: learners that react to single rows as trees do; classes of very unequal size, which the
designs stratify; losses without bound, whose tails are heavier than those of these log scores.

# Ranks, posteriors and correlations

They have [a page of their own](ranks_under_the_null.md), by another script. In short:
Friedman's test and what follows it keep their level where every order of the learners is as likely; one
learner noisier than the others raises it to 0.07. The posterior on one data set errs like a one-sided test
at 5%. That over data sets asks which outcome is the most probable, so that with a narrow region it decides
for "better" far more often: the page says when.
"""
