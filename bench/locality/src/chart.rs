//! The results as charts, in SVG that suits a light page and a dark one.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::measurement::{Batch, Measurement};
use crate::server::Server;
use crate::settings::Settings;

/// A chart of a cost over the rows in the table.
pub struct Chart {
    /// Its file's name.
    pub file: &'static str,
    /// What it shows.
    pub title: &'static str,
    unit: &'static str,
    value: fn(&Batch) -> f64,
    logarithmic: bool,
}

/// All charts.
pub const CHARTS: [Chart; 3] = [
    Chart {
        file: "locality-rate.svg",
        title: "Rows inserted per second",
        unit: "rows per second",
        value: |batch| batch.rows_per_second,
        logarithmic: true,
    },
    Chart {
        file: "locality-wal.svg",
        title: "WAL per inserted row",
        unit: "bytes, full-page images included",
        value: |batch| batch.wal_per_row + batch.images_per_row,
        logarithmic: false,
    },
    Chart {
        file: "locality-reads.svg",
        title: "Pages read to insert a row",
        unit: "pages of 8 KB read into shared buffers",
        value: |batch| batch.read_per_row,
        logarithmic: false,
    },
];

/// The colours that differ between a light page and a dark one.
const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);
const INK: RGBColor = RGBColor(0x1f, 0x23, 0x28);
const RULE: RGBColor = RGBColor(0xd1, 0xd9, 0xe0);
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { \
    [fill=\"#FFFFFF\"] { fill: #0d1117 } [fill=\"#1F2328\"] { fill: #e6edf3 } \
    [stroke=\"#1F2328\"] { stroke: #e6edf3 } [stroke=\"#D1D9E0\"] { stroke: #3d444d } }</style>";

/// The colours of the kinds of key, in their order; each is readable on both pages.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x82, 0x8b, 0x96),
    RGBColor(0xe0, 0x41, 0x3a),
    RGBColor(0xd6, 0x82, 0x1f),
    RGBColor(0x2c, 0xa0, 0x4e),
    RGBColor(0x14, 0x9c, 0xa8),
    RGBColor(0x2f, 0x7d, 0xe8),
    RGBColor(0x9a, 0x63, 0xe0),
    RGBColor(0xd9, 0x4f, 0xa0),
];

const SIZE: (u32, u32) = (900, 420);
const LEGEND: u32 = 230;

/// Draws all charts into the directory for results.
pub fn draw(measurements: &[Measurement], settings: &Settings, server: &Server) -> Result<(), Box<dyn Error>> {
    for chart in &CHARTS {
        let path = settings.out.join(chart.file);
        let subtitle = format!("{}, shared_buffers = {}", server.version, settings.shared_buffers);
        let mut svg = String::new();
        chart.draw(&mut svg, measurements, settings, &subtitle)?;
        std::fs::write(&path, for_dark_pages(&svg, &path)?)?;
    }
    Ok(())
}

/// With the style that exchanges colours on a dark page, after the opening tag.
fn for_dark_pages(svg: &str, path: &Path) -> Result<String, String> {
    let tag_end = svg.find("<svg").and_then(|start| svg[start..].find('>').map(|end| start + end + 1));
    let tag_end = tag_end.ok_or_else(|| format!("{} is no SVG", path.display()))?;
    Ok(format!("{}\n{DARK}{}", &svg[..tag_end], &svg[tag_end..]))
}

impl Chart {
    fn draw(
        &self,
        svg: &mut String,
        measurements: &[Measurement],
        settings: &Settings,
        subtitle: &str,
    ) -> Result<(), Box<dyn Error>> {
        let values = || measurements.iter().flat_map(|measurement| measurement.batches.iter().map(self.value));
        let greatest = values().fold(0.0, f64::max) * 1.1;
        let least = values().fold(f64::INFINITY, f64::min) / 1.5;
        let millions = f64::from(settings.rows) / 1e6;

        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&PAPER)?;
        let label = TextStyle::from(("sans-serif", 13).into_font()).color(&INK);
        let title = TextStyle::from(("sans-serif", 18).into_font()).color(&INK);
        root.draw(&Text::new(self.title, (20, 14), title))?;
        root.draw(&Text::new(format!("{}; {subtitle}", self.unit), (20, 38), label.clone()))?;
        let (plot, legend) = root.margin(60, 10, 10, 10).split_horizontally(SIZE.0 - LEGEND - 20);

        let mut builder = ChartBuilder::on(&plot);
        builder.x_label_area_size(44).y_label_area_size(64);
        // The two kinds of axis are of different types, and everything after is the same.
        macro_rules! draw_on {
            ($y:expr) => {{
                let mut area = builder.build_cartesian_2d(0.0..millions, $y)?;
                area.configure_mesh()
                    .disable_x_mesh()
                    .bold_line_style(RULE)
                    .light_line_style(TRANSPARENT)
                    .axis_style(INK)
                    .label_style(label.clone())
                    .x_desc("rows in the table, millions")
                    .y_label_formatter(&|value| short(*value))
                    .draw()?;
                for (measurement, colour) in measurements.iter().zip(COLOURS) {
                    let points =
                        measurement.batches.iter().map(|batch| (f64::from(batch.rows) / 1e6, (self.value)(batch)));
                    area.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
                }
            }};
        }
        if self.logarithmic {
            draw_on!((least..greatest).log_scale());
        } else {
            draw_on!(0.0..greatest);
        }

        let centred = label.pos(Pos::new(HPos::Left, VPos::Center));
        for (line, (measurement, colour)) in (0..).zip(measurements.iter().zip(COLOURS)) {
            let y = 20 + line * 26;
            legend.draw(&PathElement::new(vec![(10, y), (34, y)], colour.stroke_width(3)))?;
            legend.draw(&Text::new(measurement.candidate.name, (42, y), centred.clone()))?;
        }
        root.present()?;
        Ok(())
    }
}

/// A number as short as an axis wants it.
fn short(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{} M", value / 1e6),
        value if value >= 1e3 => format!("{} k", value / 1e3),
        value => format!("{}", (value * 1e3).round() / 1e3),
    }
}
